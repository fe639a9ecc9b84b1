import type { FieldType } from '../field-type.ts'
import { NO_PROPERTIES } from '../properties.ts'

/** A container that stacks its elements vertically. */
export const columnElement: FieldType = {
  type: 'column',
  kind: 'container',
  container: 'inner',
  properties: NO_PROPERTIES,
}
