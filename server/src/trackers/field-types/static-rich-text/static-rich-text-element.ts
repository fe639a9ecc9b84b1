import { Type } from 'typebox'
import { sanitiseHtml } from '../../../platform/rich-text/sanitise-html.ts'
import type { FieldType } from '../field-type.ts'
import { textProperty } from '../properties.ts'

/** Rich text on the form that belongs to no field. */
export const staticRichTextElement: FieldType = {
  type: 'staticrichtext',
  kind: 'static',
  properties: Type.Object(
    { static_value: textProperty('', { description: 'HTML; unsafe elements are removed on display.' }) },
    { additionalProperties: false },
  ),
  describe({ properties }) {
    const given = properties['static_value']
    const static_value = typeof given === 'string' ? sanitiseHtml(given) : ''
    return { default_value: static_value, specific_properties: { static_value } }
  },
}
