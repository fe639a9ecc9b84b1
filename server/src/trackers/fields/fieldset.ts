import type { FieldType } from './field-type.ts'
import { NO_PROPERTIES } from './properties.ts'

/** A part of the form, with a heading. */
export const fieldsetElement: FieldType = { type: 'fieldset', kind: 'container', properties: NO_PROPERTIES }
