import { expect, test } from 'vitest'
import { oneField } from '../../../test/one-field.ts'
import { staticRichTextElement } from './static-rich-text.ts'

test('its words are shown as a default, and safe', () => {
  const advice = '<p>Attach the telemetry file.</p>'
  expect(oneField(staticRichTextElement, { properties: { static_value: advice } }).describe()).toEqual({
    default_value: advice,
    specific_properties: { static_value: advice },
  })
  const attack = `${advice}<script>steal()</script><img src=x onerror="steal()">`
  expect(
    JSON.stringify(oneField(staticRichTextElement, { properties: { static_value: attack } }).describe()),
  ).not.toMatch(/script|onerror/)
})

test('without words it is empty', () => {
  expect(oneField(staticRichTextElement).describe()).toEqual({
    default_value: '',
    specific_properties: { static_value: '' },
  })
})
