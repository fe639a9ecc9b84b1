import type { FieldType } from './field-type.ts'
import { SHOWN_NUMBER } from './parts/numbers.tsx'
import type { NumberValue } from './values.ts'

export const rank: FieldType<NumberValue> = {
  type: 'priority',
  ...SHOWN_NUMBER,
  column: { width: 6, isNumber: true, isSortable: true },
  isSingle: true,
}
