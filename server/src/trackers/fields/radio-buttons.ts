import { listField } from '../binds/list-field.ts'
import { NO_PROPERTIES } from './properties.ts'

/** The same as a select box, drawn otherwise. */
export const radioButtonsField = listField('rb', { list: 'one', properties: NO_PROPERTIES })
