import type { FieldType } from './field-type.ts'
import { WITHOUT_VALUE } from './parts/without-value.ts'

export const lineBreak: FieldType = { type: 'linebreak', kind: 'static', ...WITHOUT_VALUE }
