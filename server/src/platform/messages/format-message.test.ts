import { expect, test } from 'vitest'
import { english } from './english.ts'
import { isErrorArgument } from './error-arguments.ts'
import { argumentNames, formatMessage } from './format-message.ts'

const from = (values: Record<string, string | number>) => (name: string) => values[name] ?? `{${name}}`

test('plurals follow the language', () => {
  const changes = '{count, plural, one {# change} other {# changes}} on {platform}'
  expect([1, 2, 1234].map((count) => formatMessage('en', changes, from({ count, platform: 'Waypost' })))).toEqual([
    '1 change on Waypost',
    '2 changes on Waypost',
    '1,234 changes on Waypost',
  ])
  expect(formatMessage('de', '{count, plural, one {#} other {#}}', from({ count: 1234 }))).toBe('1.234')
})

test('a value is never parsed as a message, and numbers in plain arguments are not grouped', () => {
  expect(formatMessage('en', 'To {name}', from({ name: "{evil, plural, '<b>" }))).toBe("To {evil, plural, '<b>")
  expect(formatMessage('en', '`{path}` <b>', from({ path: 12345 }))).toBe('`12345` <b>')
})

test('an absent argument stays visible', () => {
  expect(formatMessage('en', 'Hello {name}', from({}))).toBe('Hello {name}')
})

test('error messages use known arguments only', () => {
  const messages = [...Object.values(english.reasons), ...Object.values(english.causes)]
  const names = messages.flatMap((message) => argumentNames('en', message))
  expect(names.length).toBeGreaterThan(50)
  expect(names.filter((name) => !isErrorArgument(name))).toEqual([])
})

test('a message is compiled once', () => {
  expect(argumentNames('en', 'Of {one} and {other}')).toBe(argumentNames('en', 'Of {one} and {other}'))
})
