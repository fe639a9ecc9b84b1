import type { FieldType } from './field-type.ts'
import { NUMBER_FILTER } from './parts/filters.ts'
import { SHOWN_NUMBER } from './parts/numbers.tsx'
import type { NumberValue } from './values.ts'

export const numberInTracker: FieldType<NumberValue> = {
  type: 'atid',
  ...SHOWN_NUMBER,
  column: { width: 6, isNumber: true },
  filter: { ...NUMBER_FILTER, isAlwaysFilled: true },
  isSingle: true,
}
