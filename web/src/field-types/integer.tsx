import type { FieldType } from './field-type.ts'
import { NUMBER_FILTER } from './parts/filters.ts'
import { EditNumber, NUMBER_EDITING, SHOWN_NUMBER } from './parts/numbers.tsx'
import { WHOLE_COLUMN } from './parts/table-import.ts'
import type { NumberValue } from './values.ts'

export const integer: FieldType<NumberValue> = {
  type: 'int',
  ...SHOWN_NUMBER,
  editing: { ...NUMBER_EDITING, Editor: (props) => <EditNumber {...props} inputMode="numeric" /> },
  column: { width: 6, isNumber: true, isSortable: true, isShownByDefault: 'middle' },
  card: { isShownByDefault: true, needsLabel: true },
  isSummable: true,
  filter: NUMBER_FILTER,
  canBeRequired: true,
  fromTable: WHOLE_COLUMN,
  settings: [{ name: 'maxchars', kind: 'count' }],
  initial: 'number',
  numberStep: 1,
  semantics: ['amount', 'days'],
  setByWorkflow: 'number',
}
