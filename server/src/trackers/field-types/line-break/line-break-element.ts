import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'

/** Starts a new line on the form. */
export const lineBreakElement: FieldType = { type: 'linebreak', kind: 'static', properties: NO_PROPERTIES }
