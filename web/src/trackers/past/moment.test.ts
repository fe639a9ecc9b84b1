import { expect, test } from 'vitest'
import { parseAddressMoment, toLocalInput } from './moment.ts'

test('a moment of the address is an instant in whole seconds', () => {
  expect(parseAddressMoment('2026-11-03T18:00:00+01:00')).toBe('2026-11-03T17:00:00Z')
  expect(parseAddressMoment('2026-11-03T17:00:00.900Z')).toBe('2026-11-03T17:00:00Z')
  expect(parseAddressMoment('2026-11-03')).toBe(`${new Date(2026, 10, 3, 23, 59, 59).toISOString().slice(0, 19)}Z`)
})

test('other texts are not a moment', () => {
  for (const given of ['', 'yesterday', '2026-13-01', '+012026-01-01T00:00:00Z', '1960-01-01', 2026, undefined, null])
    expect(parseAddressMoment(given)).toBeUndefined()
})

test('the input of a date shows local minutes', () => {
  expect(toLocalInput(new Date(2026, 10, 3, 18, 5, 40).toISOString())).toBe('2026-11-03T18:05')
})
