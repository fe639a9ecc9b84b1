import type { FieldType } from './field-type.ts'
import { NO_PROPERTIES } from './properties.ts'

/** Elements of the form, one below the other. */
export const columnElement: FieldType = { type: 'column', kind: 'container', properties: NO_PROPERTIES }
