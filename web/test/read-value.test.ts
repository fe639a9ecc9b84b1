import { describe, expect, test } from 'vitest'
import { readValue } from '../src/artifacts/read-value.ts'

const of = (type: string, members: Record<string, unknown>) =>
  readValue({ field_id: 1, type, label: 'Field', ...members })

describe('a stored value', () => {
  test('of nothing is empty, also where the server says so by nobody, null or no items', () => {
    const nobody = { id: null, username: null, display_name: 'Anonymous' }

    expect(readValue(undefined)).toEqual({ kind: 'empty' })
    expect(of('sb', { values: [nobody], bind_value_ids: [100] })).toEqual({ kind: 'empty' })
    expect(of('int', { value: null })).toEqual({ kind: 'empty' })
    expect(of('art_link', { links: [], reverse_links: [] })).toEqual({ kind: 'empty' })
  })

  test('of a day is that day, whatever the zone of the platform', () => {
    expect(of('date', { value: '2026-03-20T00:00:00+13:00', is_time_displayed: false })).toEqual({
      kind: 'day',
      day: '2026-03-20',
    })
    expect(of('date', { value: '2026-03-20T14:30:00+00:00', is_time_displayed: true })).toMatchObject({
      kind: 'moment',
    })
  })

  test('of a list is people or values with their colours, old ones in hexadecimal', () => {
    const bob = { id: 103, username: 'bob', real_name: 'Bob Keller', display_name: 'Bob Keller (bob)' }
    const high = { id: 312, label: 'High', color: { r: 204, g: 51, b: 0 }, tlp_color: null }
    const open = { id: 301, label: 'Open', color: null, tlp_color: 'fiesta-red' }

    expect(of('msb', { values: [bob] })).toEqual({
      kind: 'people',
      people: [{ id: 103, name: 'Bob Keller', login: 'bob' }],
    })
    expect(of('cb', { values: [high, open] })).toMatchObject({
      choices: [
        { label: 'High', color: '#cc3300' },
        { label: 'Open', color: 'fiesta-red' },
      ],
    })
  })

  test('of a computed field is what somebody has typed, else the sum', () => {
    expect(of('computed', { is_autocomputed: false, value: 3, manual_value: 5 })).toMatchObject({
      number: 5,
      isSum: false,
    })
    expect(of('computed', { is_autocomputed: true, value: 3, manual_value: null })).toMatchObject({
      number: 3,
      isSum: true,
    })
  })
})
