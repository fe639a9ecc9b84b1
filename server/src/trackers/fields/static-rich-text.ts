import { Type } from 'typebox'
import { sanitiseHtml } from '../../platform/texts/sanitise-html.ts'
import type { FieldType } from './field-type.ts'
import { words } from './properties.ts'

/** Words on the form that belong to no field. */
export const staticRichTextElement: FieldType = {
  type: 'staticrichtext',
  kind: 'static',
  properties: Type.Object(
    { static_value: words('', { description: 'HTML; what is not safe is not shown.' }) },
    { additionalProperties: false },
  ),
  describe({ properties }) {
    const given = properties['static_value']
    const static_value = typeof given === 'string' ? sanitiseHtml(given) : ''
    return { default_value: static_value, specific_properties: { static_value } }
  },
}
