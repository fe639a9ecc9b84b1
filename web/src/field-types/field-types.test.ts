import { renderToStaticMarkup } from 'react-dom/server'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { fieldType, isEmptyValue } from './field-types.ts'
import { ShowValue } from './field-views.tsx'

const valueOf = (type: string, members: Record<string, unknown>) => ({ field_id: 1, type, label: 'Field', ...members })
const shown = (type: string, members: Record<string, unknown>, isShort = false) =>
  renderToStaticMarkup(createElement(ShowValue, { value: valueOf(type, members), isShort }))
const words = (type: string, members: Record<string, unknown>, isShort = false) =>
  shown(type, members, isShort).replaceAll(/<[^>]*>/g, '')

describe('a stored value', () => {
  test('is empty for an anonymous user, null, or no items', () => {
    const anonymous = { id: null, username: null, display_name: 'Anonymous' }
    const cases = [
      ['sb', { values: [anonymous], bind_value_ids: [100] }],
      ['subby', { value: anonymous }],
      ['int', { value: null }],
      ['string', { value: '' }],
      ['text', { value: '', format: 'text', post_processed_value: '' }],
      ['date', { value: null, is_time_displayed: false }],
      ['art_link', { links: [], reverse_links: [] }],
      ['file', { file_descriptions: [] }],
      ['tbl', { bind_value_objects: [] }],
      ['perm', { granted_groups: [], granted_groups_ids: [] }],
      ['cross', { value: [] }],
      ['computed', { is_autocomputed: true, value: null, manual_value: null }],
      ['burndown', { value: { points_with_date: [{ date: '2026-03-20T00:00:00Z', remaining_effort: null }] } }],
      ['burnup', { value: {} }],
    ] as const
    expect(isEmptyValue(undefined)).toBe(true)
    for (const [type, members] of cases) {
      expect([type, isEmptyValue(valueOf(type, members))]).toEqual([type, true])
      expect([type, words(type, members)]).toEqual([type, '–Empty'])
      expect([type, shown(type, members, true)]).toEqual([type, ''])
    }
  })

  test('of a date is that day in every time zone', () => {
    const day = { value: '2026-03-20T00:00:00+13:00', is_time_displayed: false }
    expect(shown('date', day)).toContain('dateTime="2026-03-20"')
    expect(shown('date', { ...day, is_time_displayed: true })).toContain('dateTime="2026-03-20T00:00:00+13:00"')
  })

  test('of a list is people with their initials, or values in the hue of their colour', () => {
    const bob = { id: 103, username: 'bob', real_name: 'Bob Keller', display_name: 'Bob Keller (bob)' }
    const high = { id: 312, label: 'High', color: { r: 204, g: 51, b: 0 }, tlp_color: null }
    const open = { id: 301, label: 'Open', color: null, tlp_color: 'fiesta-red' }

    expect(shown('msb', { values: [bob] })).toMatch(/title="@bob".*>BK<.*>Bob Keller</)
    expect(words('cb', { values: [high, open] })).toBe('High, Open')
    expect(shown('cb', { values: [high] })).toContain('data-hue="red"')
    expect(shown('cb', { values: [{ ...open, tlp_color: 'deep-blue' }] })).toContain('data-hue="indigo"')
    expect(fieldType({ type: 'cb' }).entries?.(valueOf('cb', { values: [high, open] }))).toEqual(['High', 'Open'])
  })

  test('of a computed field is the entered number, else the sum', () => {
    expect(shown('computed', { is_autocomputed: false, value: 3, manual_value: 5 })).toMatch(/<span class="[^"]*">5</)
    expect(shown('computed', { is_autocomputed: true, value: 3, manual_value: null })).toMatch(/title="[^"]+">3</)
  })

  test('in one line has no markup, links or pictures', () => {
    const markdown = { value: '<p><b>Two</b> lines</p>', format: 'html', commonmark: '**Two**\nlines' }
    const link = { id: 7, type: '_is_child', tracker: { label: 'Bugs', color: 'fiesta-red' } }
    const picture = { id: 4, name: 'barn.png', description: 'Barn', size: 1, html_url: '/files/4/barn.png' }

    expect(shown('text', markdown, true)).toBe('**Two** lines')
    expect(shown('art_link', { links: [link], reverse_links: [{ ...link, id: 8 }] }, true)).toBe('Bugs #7, Bugs #8')
    expect(shown('file', { file_descriptions: [picture] }, true)).toBe('barn.png')
    expect(shown('cross', { value: [{ ref: 'art #7', url: '/goto' }] }, true)).toBe('art #7')
  })

  test('of a type that the page does not know is shown as it is, and cannot be edited', () => {
    expect(shown('mood', { value: 'bright' })).toBe('bright')
    expect(words('mood', { value: 7 })).toBe('7')
    expect(words('mood', { value: { bright: true } })).toBe('–Empty')
    expect(fieldType({ type: 'mood' })).toMatchObject({ kind: 'field', column: { width: 8.5 } })
    expect(fieldType({ type: 'mood' }).editing).toBeUndefined()
  })
})
