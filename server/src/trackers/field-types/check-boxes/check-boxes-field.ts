import { listField } from '../list-field.ts'
import { NO_PROPERTIES } from '../properties.ts'

/** A multi-select list, rendered as check boxes. */
export const checkBoxesField = listField('cb', { schemaName: 'CheckBoxes', list: 'many', properties: NO_PROPERTIES })
