import type { FieldType } from './field-type.ts'
import { NUMBER_FILTER } from './parts/filters.ts'
import { SHOWN_NUMBER } from './parts/numbers.tsx'
import type { NumberValue } from './values.ts'

export const artifactId: FieldType<NumberValue> = {
  type: 'aid',
  ...SHOWN_NUMBER,
  isShownByPage: true,
  column: { width: 6, isNumber: true, isSortable: true },
  filter: { ...NUMBER_FILTER, isAlwaysFilled: true, variable: '@id' },
  isSingle: true,
}
