import { Type } from 'typebox'
import { listField } from '../list-field.ts'
import { count } from '../properties.ts'

/** Any number of values; `size` is the number of visible lines. */
export const multiSelectBoxField = listField('msb', {
  schemaName: 'MultiSelectBox',
  list: 'many',
  properties: Type.Object({ size: count(7) }, { additionalProperties: false }),
})
