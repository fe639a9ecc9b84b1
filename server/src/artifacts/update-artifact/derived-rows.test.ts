import { describe, expect, test } from 'vitest'
import { CRATE_FIELDS, CRATE_VALUES, sampleTracker } from '../../../test/fixtures/sample-tracker.ts'
import type { Element, FieldId, StoredValues } from '../../trackers/tracker.ts'
import { toId } from '../../platform/database/ids.ts'
import { deriveRows } from './derived-rows.ts'

const { summary, places, points, status } = CRATE_FIELDS
const { barn, yard } = CRATE_VALUES
const [links, seenBy, old] = [toId<FieldId>(22_150), toId<FieldId>(22_151), toId<FieldId>(22_152)]

/** The sample tracker with a field of links and fields that restrict who sees an artifact. */
function tracker(usesSeenBy = true) {
  const { elements } = sampleTracker()
  const [any] = elements.filter(({ id }) => id === points)
  if (!any) throw new Error('The sample has no field.')
  const more = (id: FieldId, name: string, type: string, is_used = true): Element => ({
    ...any,
    id,
    name,
    type,
    is_used,
    properties: {},
  })
  return sampleTracker({
    elements: [
      ...elements,
      more(links, 'links', 'art_link'),
      more(old, 'was_seen_by', 'perm', false),
      more(seenBy, 'seen_by', 'perm', usesSeenBy),
    ],
  })
}

const derive = (before: StoredValues, changes: [FieldId, unknown][], usesSeenBy = true) =>
  deriveRows({ tracker: tracker(usesSeenBy), referenceKinds: [] }, before, new Map(changes))

describe('index rows', () => {
  test('of list values are those that come and go', () => {
    const { ids, numbers } = derive({ [places]: [barn] }, [[places, [yard]]])
    expect(ids).toEqual({ added: [{ field: places, value: yard }], removed: [{ field: places, value: barn }] })
    expect(numbers).toEqual({ added: [], removed: [] })
    expect(derive({ [places]: [barn] }, [[places, [barn, yard]]]).ids).toEqual({
      added: [{ field: places, value: yard }],
      removed: [],
    })
  })

  test('of numbers are those that come and go', () => {
    const { ids, numbers } = derive({ [points]: 3 }, [[points, 5]])
    expect(numbers).toEqual({ added: [{ field: points, value: 5 }], removed: [{ field: points, value: 3 }] })
    expect(ids).toEqual({ added: [], removed: [] })
    expect(derive({}, [[points, 5]]).numbers).toEqual({ added: [{ field: points, value: 5 }], removed: [] })
    expect(derive({ [points]: 3 }, [[points, null]]).numbers.removed).toEqual([{ field: points, value: 3 }])
  })
})

describe('links', () => {
  test('with a new target or type are added, and those without a target now are removed', () => {
    const was = { 101: '', 102: '', 103: '_is_child' }
    const is = { 102: '_is_child', 103: '_is_child', 104: '' }
    expect(derive({ [links]: was }, [[links, is]]).links).toEqual({
      added: [
        { target: 102, type: '_is_child' },
        { target: 104, type: '' },
      ],
      removed: [{ target: 101, type: '' }],
    })
  })

  test('stay where another field changes', () => {
    expect(derive({ [links]: { 101: '' } }, [[points, 5]]).links).toEqual({ added: [], removed: [] })
  })
})

describe('words', () => {
  const texts = expect.arrayContaining([summary])
  test('are written if one of the changed fields is a text', () => {
    expect(derive({}, [[summary, 'Pump']]).worded).toEqual(texts)
    expect(
      derive({}, [
        [points, 3],
        [summary, 'Pump'],
      ]).worded,
    ).toEqual(texts)
    expect(derive({ [summary]: 'Pump' }, [[points, 3]]).worded).toEqual([])
    expect(derive({ [summary]: 'Pump' }, []).worded).toEqual([])
  })

  test('are those of text fields', () => {
    const { worded } = derive({}, [[summary, 'Pump']])
    expect(worded).not.toContain(points)
    expect(worded).not.toContain(status)
  })
})

describe('the restriction', () => {
  test('is the value of its field, and null without one', () => {
    expect(derive({}, [[seenBy, [3]]]).restricted_to).toEqual([3])
    expect(derive({ [seenBy]: [3] }, [[points, 1]]).restricted_to).toEqual([3])
    expect(derive({ [seenBy]: [3] }, [[seenBy, null]]).restricted_to).toBeNull()
    expect(derive({}, [[points, 1]]).restricted_to).toBeNull()
  })

  test('of the used field counts; of unused ones, the one with a value', () => {
    expect(derive({ [old]: [4], [seenBy]: [3] }, []).restricted_to).toEqual([3])
    expect(derive({ [old]: [4] }, []).restricted_to).toBeNull()
    expect(derive({ [seenBy]: [3] }, [], false).restricted_to).toEqual([3])
  })
})
