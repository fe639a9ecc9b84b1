import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { textField } from './text-field.ts'

const details = oneField(textField)
const ofHtmlWriter = oneField(textField, { viewer: { text_format: 'html' } })
const MARKED = 'Engine stops after **12 s**, see art #15.'
const RENDERED = '<p>Engine stops after <strong>12 s</strong>, see art #15.</p>'
const LINKED =
  '<p>Engine stops after <strong>12 s</strong>, see <a href="/goto?key=art&amp;val=15&amp;group_id=105" class="cross-reference">art #15</a>.</p>'

test('CommonMark is shown rendered, with its source and with links for references', () => {
  expect(details.read({ format: 'commonmark', content: MARKED })).toEqual({
    value: RENDERED,
    format: 'html',
    commonmark: MARKED,
    post_processed_value: LINKED,
  })
})

test('text and HTML are shown as written, together with a sanitized version', () => {
  expect(details.read({ format: 'text', content: 'a < b\nart #15' })).toEqual({
    value: 'a < b\nart #15',
    format: 'text',
    post_processed_value:
      'a &lt; b<br /><a href="/goto?key=art&amp;val=15&amp;group_id=105" class="cross-reference">art #15</a>',
  })
  expect(details.read({ format: 'html', content: '<b onclick="x()">a</b><script>x()</script>' })).toEqual({
    value: '<b onclick="x()">a</b><script>x()</script>',
    format: 'html',
    post_processed_value: '<b>a</b>',
  })
  expect(details.read(undefined)).toBeUndefined()
})

test("a plain string gets the writer's preferred format, or CommonMark", async () => {
  expect(await details.write({ value: 'x' })).toEqual({ format: 'commonmark', content: 'x' })
  expect(await ofHtmlWriter.write({ value: 'x' })).toEqual({ format: 'html', content: 'x' })
})

test.each([
  [{ value: { content: 'x', format: 'text' } }, false, 'text'],
  [{ value: { content: 'x', format: 'commonmark' } }, false, 'commonmark'],
  [{ value: { content: 'x', format: 'rtf' } }, false, 'html'],
  [{ value: { content: 'x' } }, false, 'html'],
  [{ value: 'x', format: 'text' }, true, 'text'],
  [{ value: 'x', format: 'rtf' }, true, 'html'],
  // An item of `values` that was read and changed: its format is that of the rendering, not of the source.
  [{ value: 'x', format: 'text' }, false, 'html'],
])('%j by name: %s is stored as %s for a writer who prefers HTML', async (item, byName, format) => {
  expect(await ofHtmlWriter.write(item, { byName })).toEqual({ format, content: 'x' })
})

test.each([
  [{}, 'value', 'value_missing', 'required'],
  [{ value: null }, 'value', 'value_missing', 'required'],
  [{ value: {} }, 'value.content', 'value_missing', 'required'],
  [{ value: { content: null, format: 'html' } }, 'value.content', 'value_missing', 'required'],
  [{ value: 5 }, 'value', 'not_a_string', 'type'],
  [{ value: { content: ['x'] } }, 'value.content', 'not_a_string', 'type'],
])('%j is refused', async (item, path, cause, rule) => {
  expect(await details.refusal(item)).toEqual({ reason: 'value_invalid', path, rule, cause })
})

test('the limit counts bytes', async () => {
  const allowed = { maximum: 65_535 }
  const content = 'é'.repeat(32_767)
  expect(await details.write({ value: `${content}x` })).toEqual({ format: 'commonmark', content: `${content}x` })
  expect(await details.refusal({ value: `${content}é` })).toMatchObject({
    cause: 'too_long',
    rule: 'max_length',
    allowed,
  })
})

test('sending back the rendering of a text changes nothing; anything else is a new text', async () => {
  const stored = { format: 'commonmark', content: MARKED }
  expect(await ofHtmlWriter.write({ value: RENDERED }, { stored })).toBe(stored)
  expect(await details.write({ value: `${RENDERED}!` }, { stored })).toEqual({
    format: 'commonmark',
    content: `${RENDERED}!`,
  })
  expect(await details.write({ value: { content: RENDERED, format: 'html' } }, { stored })).toEqual({
    format: 'html',
    content: RENDERED,
  })
})

test('content and format are compared; an empty text equals none', () => {
  const text = { format: 'text', content: 'x' }
  expect(textField.isSame?.(text, { ...text })).toBe(true)
  expect(textField.isSame?.(text, { ...text, format: 'html' })).toBe(false)
  expect(textField.isSame?.(text, { ...text, content: 'y' })).toBe(false)
  expect(textField.isSame?.(undefined, { format: 'html', content: '' })).toBe(true)
  expect(textField.isSame?.(undefined, text)).toBe(false)
  expect(textField.isEmpty?.({ format: 'html', content: '' })).toBe(true)
  expect(textField.isEmpty?.(undefined)).toBe(true)
  expect(textField.isEmpty?.(text)).toBe(false)
})

test("the default is plain text, converted to the caller's preferred format", async () => {
  const initial = 'a < b\nc'
  const specific_properties = { rows: 10, cols: 50, default_value: initial }
  expect(oneField(textField, { initial }).describe()).toEqual({
    default_value: { format: 'commonmark', content: initial },
    specific_properties,
  })
  const html = { format: 'html', content: '<p>a &lt; b<br />c</p>' }
  expect(oneField(textField, { initial, viewer: { text_format: 'html' } }).describe()).toEqual({
    default_value: html,
    specific_properties,
  })
  expect(await oneField(textField, { initial, viewer: { text_format: 'html' } }).begin()).toEqual(html)
})

test('without a default the text starts empty', async () => {
  expect(ofHtmlWriter.describe()).toEqual({
    default_value: { format: 'html', content: '' },
    specific_properties: { rows: 10, cols: 50, default_value: '' },
  })
  expect(await details.begin()).toBeUndefined()
})

test('it migrates to texts unchanged, and to strings as one line', () => {
  const stored = { format: 'commonmark', content: 'Engine\n\n* **stops**' }
  expect(details.migrate(stored, 'text')).toEqual({ value: stored, isPartial: false })
  expect(details.migrate(stored, 'string')).toEqual({ value: 'Engine stops', isPartial: false })
  expect(details.migrate(stored, 'int')).toBeUndefined()
})

test('a former string is plain text', () => {
  expect(details.read('a *b*')).toEqual({ value: 'a *b*', format: 'text', post_processed_value: 'a *b*' })
  expect(textField.texts?.('art #15')).toEqual([{ format: 'text', content: 'art #15' }])
})

test('tables show the source', () => {
  expect(details.flat({ format: 'commonmark', content: MARKED })).toBe(MARKED)
  expect(details.flat(undefined)).toBeNull()
})

test('every shown text can be sent back in the write form and changes nothing', async () => {
  const texts = fc.record({
    content: fc.string({ unit: 'grapheme' }),
    format: fc.constantFrom('text', 'html', 'commonmark'),
  })
  await fc.assert(
    fc.asyncProperty(texts, async (value) => {
      const stored = await details.write({ value })
      const shown = { commonmark: undefined, value: undefined, format: undefined, ...details.read(stored) }
      const sent = shown.commonmark === undefined ? shown : { value: shown.commonmark, format: 'commonmark' }
      expect(textField.isSame?.(stored, await details.write(sent, { stored, byName: true }))).toBe(true)
      expect(textField.isSame?.(stored, stored)).toBe(true)
    }),
  )
})
