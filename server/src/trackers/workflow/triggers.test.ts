import { expect, test } from 'vitest'
import { CRATES, CRATE_FIELDS, HARVESTS, CRATE_VALUES } from '../../../test/fixtures/sample-tracker.ts'
import { toId } from '../../platform/database/ids.ts'
import type { StoredValues, Trigger } from '../tracker.ts'
import { type Child, firingTriggers } from './triggers.ts'

const trigger = (condition: Trigger['condition']): Trigger => ({
  id: toId(1),
  field_id: CRATE_FIELDS.harvest,
  value: CRATE_VALUES.ripe,
  condition,
  when: [{ tracker_id: CRATES, field_id: CRATE_FIELDS.status, value: CRATE_VALUES.closed }],
})
const child = (id: number, value: number, tracker_id = CRATES): Child => ({
  id,
  tracker_id,
  values: { [CRATE_FIELDS.status]: [value] },
})
const CLOSED = child(1, CRATE_VALUES.closed)
const fires = (condition: Trigger['condition'], changed: Child, others: Child[] = [], parent: StoredValues = {}) =>
  firingTriggers({ triggers: [trigger(condition)] }, parent, changed, [changed, ...others]).length === 1

test.each(['at_least_one', 'all_of'] as const)('%s: a single child with the value is enough', (condition) => {
  expect(fires(condition, CLOSED)).toBe(true)
})

test.each(['at_least_one', 'all_of'] as const)('%s: a child with another value is not enough', (condition) => {
  expect(fires(condition, child(1, CRATE_VALUES.open))).toBe(false)
})

test('at_least_one: the changed child decides, regardless of the others', () => {
  expect(fires('at_least_one', CLOSED, [child(2, CRATE_VALUES.open)])).toBe(true)
  expect(fires('at_least_one', child(1, CRATE_VALUES.open), [child(2, CRATE_VALUES.closed)])).toBe(false)
})

test('all_of: every child must have the value', () => {
  expect(fires('all_of', CLOSED, [child(2, CRATE_VALUES.closed)])).toBe(true)
  expect(fires('all_of', CLOSED, [child(2, CRATE_VALUES.open)])).toBe(false)
})

test('children in other trackers are ignored', () => {
  expect(fires('all_of', CLOSED, [child(2, CRATE_VALUES.open, HARVESTS)])).toBe(true)
  expect(fires('all_of', child(2, CRATE_VALUES.closed, HARVESTS), [CLOSED])).toBe(false)
})

test('a parent that already has the value is not changed', () => {
  expect(fires('all_of', CLOSED, [], { [CRATE_FIELDS.harvest]: [CRATE_VALUES.ripe] })).toBe(false)
})
