import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'

/** A line between elements of the form. */
export const separatorElement: FieldType = { type: 'separator', kind: 'static', properties: NO_PROPERTIES }
