import type { FieldType } from './field-type.ts'
import { SHOWN_INSTANT } from './parts/dates.tsx'
import { DATE_FILTER } from './parts/filters.ts'
import type { LineValue } from './values.ts'

export const lastUpdateDate: FieldType<LineValue> = {
  type: 'lud',
  ...SHOWN_INSTANT,
  isShownByPage: true,
  column: { width: 8, isSortable: true, isShownByDefault: 'end' },
  filter: { ...DATE_FILTER, isAlwaysFilled: true, variable: '@last_update_date' },
}
