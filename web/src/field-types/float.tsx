import type { FieldType } from './field-type.ts'
import { NUMBER_FILTER } from './parts/filters.ts'
import { EditNumber, NUMBER_EDITING, SHOWN_NUMBER } from './parts/numbers.tsx'
import { DECIMAL_COLUMN } from './parts/table-import.ts'
import type { NumberValue } from './values.ts'

export const float: FieldType<NumberValue> = {
  type: 'float',
  ...SHOWN_NUMBER,
  editing: { ...NUMBER_EDITING, Editor: (props) => <EditNumber {...props} inputMode="decimal" /> },
  column: { width: 6, isNumber: true, isSortable: true },
  card: { isShownByDefault: true, needsLabel: true },
  isSummable: true,
  filter: NUMBER_FILTER,
  canBeRequired: true,
  fromTable: DECIMAL_COLUMN,
  initial: 'number',
  semantics: ['amount', 'days'],
  setByWorkflow: 'number',
}
