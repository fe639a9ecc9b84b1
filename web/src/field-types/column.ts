import type { FieldType } from './field-type.ts'
import { WITHOUT_VALUE } from './parts/without-value.ts'

export const column: FieldType = { type: 'column', kind: 'container', ...WITHOUT_VALUE, isSideBySide: true }
