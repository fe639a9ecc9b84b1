import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneField } from '../../../../test/fixtures/one-field.ts'
import { stringField } from './string-field.ts'

const summary = oneField(stringField)
const short = oneField(stringField, { properties: { maxchars: 5 } })

test('a string is shown as written, including an empty one', async () => {
  expect(summary.read(await summary.write({ value: 'Engine stops at start' }))).toEqual({
    value: 'Engine stops at start',
  })
  expect(summary.read(await summary.write({ value: '' }))).toEqual({ value: '' })
  expect(summary.read(undefined)).toBeUndefined()
})

test.each([
  [{}, 'value_missing', 'required'],
  [{ value: null }, 'value_missing', 'required'],
  [{ value: 5 }, 'not_a_string', 'type'],
  [{ value: false }, 'not_a_string', 'type'],
  [{ value: ['a'] }, 'not_a_string', 'type'],
  [{ value: { content: 'a' } }, 'not_a_string', 'type'],
  [{ value: 'a\nb' }, 'line_break', 'pattern'],
  [{ value: 'a\rb' }, 'line_break', 'pattern'],
  [{ value: 'a\0b' }, 'line_break', 'pattern'],
])('%j is refused: %s', async (item, cause, rule) => {
  expect(await summary.refusal(item)).toEqual({ reason: 'value_invalid', path: 'value', rule, cause })
})

test('the limit counts characters, not UTF-16 units', async () => {
  expect(await short.write({ value: '👍👍👍👍👍' })).toBe('👍👍👍👍👍')
  expect(await short.refusal({ value: 'abcdef' })).toEqual({
    reason: 'value_invalid',
    path: 'value',
    rule: 'max_length',
    cause: 'too_long',
    allowed: { maximum: 5 },
  })
})

test('the structure shows its settings and its default', () => {
  expect(summary.describe()).toEqual({
    default_value: '',
    specific_properties: { maxchars: 0, size: 30, default_value: '' },
  })
  expect(oneField(stringField, { properties: { maxchars: 255, size: 60, default_value: 'New' } }).describe()).toEqual({
    default_value: 'New',
    specific_properties: { maxchars: 255, size: 60, default_value: 'New' },
  })
})

test('a new artifact starts with the default, if there is one', async () => {
  expect(await oneField(stringField, { initial: 'New' }).begin()).toBe('New')
  expect(await summary.begin()).toBeUndefined()
})

test('an invalid default is refused', () => {
  expect(() => oneField(stringField, { properties: { maxchars: 2 }, initial: 'New' })).toThrow('value_invalid')
  expect(() => oneField(stringField, { initial: 3 })).toThrow('value_invalid')
})

test('strings are compared byte by byte, and clearing a string that was never set changes nothing', () => {
  expect(stringField.isSame?.('a', 'a')).toBe(true)
  expect(stringField.isSame?.('a', 'A')).toBe(false)
  expect(stringField.isSame?.('é', 'e\u0301')).toBe(false)
  expect(stringField.isSame?.(undefined, '')).toBe(true)
  expect(stringField.isEmpty?.(undefined)).toBe(true)
  expect(stringField.isEmpty?.(' ')).toBe(false)
})

test('a former text is shown as one line', () => {
  const stored = { format: 'html', content: '<p>Engine <b>stops</b></p><p>at start</p>' }
  expect(summary.read(stored)).toEqual({ value: 'Engine stops at start' })
  expect(summary.flat(stored)).toBe('Engine stops at start')
})

test('it migrates to strings unchanged, and to texts as plain text', () => {
  expect(summary.migrate('<b>', 'string')).toEqual({ value: '<b>', isPartial: false })
  expect(summary.migrate('<b>', 'text')).toEqual({ value: { format: 'text', content: '<b>' }, isPartial: false })
  expect(summary.migrate(undefined, 'text')).toEqual({ value: undefined, isPartial: false })
  expect(summary.migrate('5', 'int')).toBeUndefined()
})

test('it is searched for references', () => {
  expect(stringField.texts?.('see art #15')).toEqual([{ format: 'text', content: 'see art #15' }])
  expect(stringField.texts?.(undefined)).toEqual([])
})

test('every shown string can be sent back and changes nothing', async () => {
  const line = fc.string({ unit: 'grapheme' }).filter((each) => !/[\r\n\0]/.test(each))
  await fc.assert(
    fc.asyncProperty(line, async (value) => {
      const stored = await summary.write({ value })
      const again = await summary.write({ ...summary.read(stored) })
      expect(again).toBe(value)
      expect(stringField.isSame?.(stored, again)).toBe(true)
    }),
  )
})
