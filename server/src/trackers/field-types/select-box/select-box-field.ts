import { listField } from '../list-field.ts'
import { NO_PROPERTIES } from '../properties.ts'

/** One of several values, or none. */
export const selectBoxField = listField('sb', { schemaName: 'SelectBox', list: 'one', properties: NO_PROPERTIES })
