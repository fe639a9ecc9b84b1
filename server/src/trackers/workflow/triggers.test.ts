import { expect, test } from 'vitest'
import { CRATES, FIELDS, HARVESTS, VALUES } from '../../../test/sample-tracker.ts'
import { toId } from '../../platform/database/ids.ts'
import type { StoredValues, Trigger } from '../tracker.ts'
import { type Child, firingTriggers } from './triggers.ts'

const trigger = (condition: Trigger['condition']): Trigger => ({
  id: toId(1),
  field_id: FIELDS.harvest,
  value: VALUES.ripe,
  condition,
  when: [{ tracker_id: CRATES, field_id: FIELDS.status, value: VALUES.closed }],
})
const child = (id: number, value: number, tracker_id = CRATES): Child => ({
  id,
  tracker_id,
  values: { [FIELDS.status]: [value] },
})
const CLOSED = child(1, VALUES.closed)
const fires = (condition: Trigger['condition'], changed: Child, others: Child[] = [], parent: StoredValues = {}) =>
  firingTriggers({ triggers: [trigger(condition)] }, parent, changed, [changed, ...others]).length === 1

test.each(['at_least_one', 'all_of'] as const)('%s: a child that has the value, alone, is enough', (condition) => {
  expect(fires(condition, CLOSED)).toBe(true)
})

test.each(['at_least_one', 'all_of'] as const)('%s: a child with another value is not', (condition) => {
  expect(fires(condition, child(1, VALUES.open))).toBe(false)
})

test('at_least_one: the child that has changed decides, whatever the others have', () => {
  expect(fires('at_least_one', CLOSED, [child(2, VALUES.open)])).toBe(true)
  expect(fires('at_least_one', child(1, VALUES.open), [child(2, VALUES.closed)])).toBe(false)
})

test('all_of: every child must have it', () => {
  expect(fires('all_of', CLOSED, [child(2, VALUES.closed)])).toBe(true)
  expect(fires('all_of', CLOSED, [child(2, VALUES.open)])).toBe(false)
})

test('children of trackers that a trigger does not look at are as if they were not there', () => {
  expect(fires('all_of', CLOSED, [child(2, VALUES.open, HARVESTS)])).toBe(true)
  expect(fires('all_of', child(2, VALUES.closed, HARVESTS), [CLOSED])).toBe(false)
})

test('nothing is done to a parent that has the value already', () => {
  expect(fires('all_of', CLOSED, [], { [FIELDS.harvest]: [VALUES.ripe] })).toBe(false)
})
