import type { FieldType } from './field-type.ts'
import { WITHOUT_VALUE } from './parts/without-value.ts'

/** The charts of the tracker show it. */
export const burnup: FieldType = { type: 'burnup', kind: 'field', ...WITHOUT_VALUE, isSingle: true }
