import { expect, test } from 'vitest'
import { findFeedFaults } from './check-feed.ts'

const EVENTS = [
  { position: 11, id: 5, version: 3 },
  { position: 12, id: 6, version: 8 },
  { position: 13, id: 5, version: 4 },
]
const stored = { events: EVENTS, unsequenced: 0, gaps: 0 }

test('a feed that everyone has read once has no faults', () => {
  expect(findFeedFaults(stored, [EVENTS, EVENTS])).toEqual({ skipped: 0, repeated: 0, swapped: 0 })
})

test('an event that a follower missed, that has no position, or a position without an event is skipped', () => {
  expect(findFeedFaults(stored, [EVENTS, EVENTS.slice(1)]).skipped).toBe(1)
  expect(findFeedFaults({ ...stored, unsequenced: 2 }, [EVENTS]).skipped).toBe(2)
  expect(findFeedFaults({ ...stored, gaps: 3 }, [EVENTS]).skipped).toBe(3)
})

test('a position that a follower received twice is repeated', () => {
  expect(findFeedFaults(stored, [[...EVENTS, { position: 12 }]]).repeated).toBe(1)
})

test('versions of one artifact that are not in the order of their positions are swapped', () => {
  const swapped = EVENTS.map((event) => (event.id === 5 ? { ...event, version: 7 - event.version } : event))
  expect(findFeedFaults({ ...stored, events: swapped }, [EVENTS]).swapped).toBe(1)
})
