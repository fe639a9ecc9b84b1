import { describe, expect, test } from 'vitest'
import { sampleField as field, trackerWith } from '../../test/sample-tracker.ts'
import { offeredChoices } from '../artifacts/choices.ts'
import { diffWords } from '../artifacts/text-diff.ts'
import { defaultDraft, isEmptyDraft, isSameDraft, toDraft, toValueItem } from './drafts.ts'

const value = (type: string, members: Record<string, unknown>) => ({ field_id: 104, type, label: 'Field', ...members })

describe('a draft', () => {
  test('of a stored value has the form of a write', () => {
    const cases = [
      ['string', { value: 'Engine' }, { value: 'Engine' }],
      ['int', { value: 5 }, { value: '5' }],
      ['duration', { value: '2h 30m', minutes: 150 }, { value: '2h 30m' }],
      [
        'text',
        { value: '<p>x</p>', format: 'html', commonmark: 'x' },
        { value: { content: 'x', format: 'commonmark' } },
      ],
      ['text', { value: '<p>x</p>', format: 'html' }, { value: { content: '<p>x</p>', format: 'html' } }],
      ['date', { value: '2026-03-20T00:00:00+09:00' }, { value: '2026-03-20' }],
      ['msb', { bind_value_ids: [100] }, { bind_value_ids: [] }],
      ['sb', { bind_value_ids: ['105_3'] }, { bind_value_ids: ['105_3'] }],
      ['computed', { is_autocomputed: false, manual_value: 3 }, { manual_value: '3' }],
      ['perm', { granted_groups_ids: ['105_3'] }, { value: { granted_groups: ['105_3'], is_used_by_default: true } }],
      ['file', { file_descriptions: [{ id: 41 }] }, { value: [41] }],
    ] as const
    for (const [type, stored, draft] of cases)
      expect(toDraft(field(type), value(type, stored))).toEqual({ field_id: 104, ...draft })
  })

  test('of a date with time is the same instant, whatever time zone the response used', () => {
    const stored = value('date', { value: '2026-03-20T00:30:00+09:00' })
    expect(toDraft(field('date', { is_time_displayed: true }), stored).value).toBe('2026-03-19T15:30:00.000Z')
  })

  test('starts with the default value, and is empty without one', () => {
    expect(defaultDraft(field('sb', { default_value: [{ id: 301, label: 'Open' }] })).bind_value_ids).toEqual([301])
    expect(defaultDraft(field('int', { default_value: 3 })).value).toBe('3')
    for (const type of ['string', 'text', 'int', 'date', 'duration', 'sb', 'tbl', 'file', 'art_link', 'computed'])
      expect([type, isEmptyDraft(field(type), defaultDraft(field(type)))]).toEqual([type, true])
  })

  test('of a list ignores the order of the values', () => {
    const draft = (ids: number[]) => ({ field_id: 104, bind_value_ids: ids })
    expect(isSameDraft(draft([1, 2]), draft([2, 1]))).toBe(true)
    expect(isSameDraft(draft([1, 2]), draft([1]))).toBe(false)
  })

  test('of links replaces only forward links, unless a reverse link was changed', () => {
    const [child, parent] = [
      { id: 7, type: '', direction: 'forward' },
      { id: 6, type: '_is_child', direction: 'reverse' },
    ]
    const stored = { field_id: 104, all_links: [parent] }
    const links = field('art_link')
    expect(toValueItem(links, { field_id: 104, all_links: [parent, child] }, stored)).toEqual({
      field_id: 104,
      links: [{ id: 7, type: '' }],
    })
    const changed = { field_id: 104, all_links: [child] }
    expect(toValueItem(links, changed, stored)).toEqual(changed)
  })
})

describe('a list', () => {
  const values = [1, 2, 3].map((id) => ({ id, label: `v${id}`, is_hidden: id === 3, value_color: '' }))
  const status = field('sb', { values })
  const tracker = (workflow: object) =>
    trackerWith([status], {
      workflow: {
        field_id: 104,
        is_used: '1',
        is_legacy: false,
        is_advanced: false,
        rules: { dates: [], lists: [] },
        transitions: [],
        ...workflow,
      },
    })
  const keys = (workflow: object, stored: number[], chosen: number[] = []) =>
    offeredChoices({ tracker: tracker(workflow), field: status, stored, chosen: () => chosen }).map(({ key }) => key)

  test('offers the transitions of the current state, and the current value', () => {
    const transitions = [
      { id: 1, from_id: null, to_id: 1 },
      { id: 2, from_id: 1, to_id: 2 },
    ]
    expect(keys({ transitions }, [])).toEqual([1])
    expect(keys({ transitions }, [1])).toEqual([1, 2])
    expect(keys({ transitions, is_used: '0' }, [])).toEqual([1, 2])
    expect(keys({ transitions }, [3])).toEqual([3])
  })

  test('offers the values that another list allows', () => {
    const lists = [{ source_field_id: 9, source_value_id: 50, target_field_id: 104, target_value_id: 2 }]
    const workflow = { is_used: '', rules: { dates: [], lists } }
    expect(keys(workflow, [], [50])).toEqual([2])
    expect(keys(workflow, [], [51])).toEqual([])
    expect(keys(workflow, [], [])).toEqual([1, 2])
  })
})

describe('the difference of two texts', () => {
  test('is computed by words, and both texts can be rebuilt from it', () => {
    const [before, after] = ['Pick up before six, see art #1.', 'Pick them up before seven, see art #1.']
    const pieces = diffWords(before, after)
    expect(pieces).toEqual([
      { kind: 'same', text: 'Pick ' },
      { kind: 'added', text: 'them ' },
      { kind: 'same', text: 'up before ' },
      { kind: 'removed', text: 'six' },
      { kind: 'added', text: 'seven' },
      { kind: 'same', text: ', see art #1.' },
    ])
    const without = (kind: string) => pieces.filter((piece) => piece.kind !== kind).map(({ text }) => text)
    expect([without('added').join(''), without('removed').join('')]).toEqual([before, after])
  })

  test('is fast for long texts', () => {
    const long = Array.from({ length: 6_000 }, (_, line) => `line ${line} of many\n`).join('')
    const pieces = diffWords(long, long.replace('line 900 of', 'line 900 out of'))
    expect(pieces.filter(({ kind }) => kind === 'added').map(({ text }) => text)).toEqual(['out '])
  })

  test('of long texts without a common word is one removed and one added text', () => {
    const before = Array.from({ length: 20_000 }, (_, at) => `old${at}`).join('\n')
    const after = before.replaceAll('old', 'new').replaceAll('\n', '\t')
    const startMs = performance.now()
    expect(diffWords(before, after)).toEqual([
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ])
    expect(performance.now() - startMs).toBeLessThan(2_000)
  })
})
