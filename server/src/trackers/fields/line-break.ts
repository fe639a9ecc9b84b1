import type { FieldType } from './field-type.ts'
import { NO_PROPERTIES } from './properties.ts'

/** What follows begins on a new line. */
export const lineBreakElement: FieldType = { type: 'linebreak', kind: 'static', properties: NO_PROPERTIES }
