import { Type } from 'typebox'
import { listField } from '../binds/list-field.ts'
import { count } from './properties.ts'

/** Any of several values; `size` is how many lines of them are to be seen. */
export const multiSelectBoxField = listField('msb', {
  list: 'many',
  properties: Type.Object({ size: count(7) }, { additionalProperties: false }),
})
