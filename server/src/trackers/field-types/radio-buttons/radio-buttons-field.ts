import { listField } from '../list-field.ts'
import { NO_PROPERTIES } from '../properties.ts'

/** A select box, rendered as radio buttons. */
export const radioButtonsField = listField('rb', { schemaName: 'RadioButtons', list: 'one', properties: NO_PROPERTIES })
