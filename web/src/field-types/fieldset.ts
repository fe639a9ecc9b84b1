import type { FieldType } from './field-type.ts'
import { WITHOUT_VALUE } from './parts/without-value.ts'

export const fieldset: FieldType = { type: 'fieldset', kind: 'container', ...WITHOUT_VALUE, isSection: true }
