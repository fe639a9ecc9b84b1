import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'

/** A titled section of the form. */
export const fieldsetElement: FieldType = {
  type: 'fieldset',
  kind: 'container',
  container: 'outer',
  properties: NO_PROPERTIES,
}
