import { expect, test } from 'vitest'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { staticRichTextElement } from './static-rich-text-element.ts'

test('its content is shown as a default value, sanitized', () => {
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

test('it is empty without content', () => {
  expect(oneField(staticRichTextElement).describe()).toEqual({
    default_value: '',
    specific_properties: { static_value: '' },
  })
})
