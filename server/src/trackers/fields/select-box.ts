import { listField } from '../binds/list-field.ts'
import { NO_PROPERTIES } from './properties.ts'

/** One of several values, or none. */
export const selectBoxField = listField('sb', { list: 'one', properties: NO_PROPERTIES })
