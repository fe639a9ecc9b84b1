import { listField } from '../binds/list-field.ts'
import { NO_PROPERTIES } from './properties.ts'

/** The same as a multi-select box, drawn otherwise. */
export const checkBoxesField = listField('cb', { list: 'many', properties: NO_PROPERTIES })
