import { expect, test } from 'vitest'
import { FIELDS, sampleTracker, VALUES } from '../../../test/sample-tracker.ts'
import { toId } from '../../platform/database/ids.ts'
import type { Action, Transition } from '../tracker.ts'
import { formStateOf, frozenFields, hiddenFieldsets } from './frozen-fields.ts'
import { preActions } from './pre-actions.ts'

const tracker = sampleTracker()
const now = new Date('2026-03-01T23:30:15.123Z')
const step = (...actions: Action[]): Transition => ({
  id: toId(1),
  from: null,
  to: VALUES.open,
  groups: [],
  not_empty: [],
  needs_comment: false,
  actions,
})
const set = (field_id: typeof FIELDS.due, value: number | 'current' | '' | null): Action => ({
  id: toId(2),
  type: 'set_field_value',
  field_id,
  value,
})

test.each([
  { what: 'today, where the caller is', action: set(FIELDS.due, 'current'), value: '2026-03-02' },
  { what: 'this moment', action: set(FIELDS.started, 'current'), value: '2026-03-01T23:30:15.000Z' },
  { what: 'no date', action: set(FIELDS.due, ''), value: null },
  { what: 'a number', action: set(FIELDS.points, 5), value: 5 },
  { what: 'zero', action: set(FIELDS.points, 0), value: 0 },
])('a transition sets $what', ({ action, value }) => {
  const changes = preActions(tracker, step(action), { now, zone: 'Europe/Berlin' })

  expect(Object.values(changes)).toEqual([value])
})

test('it leaves alone what has no value to set, and fields that are not used', () => {
  expect(preActions(tracker, step(set(FIELDS.due, null), set(FIELDS.old, 5)), { now, zone: 'UTC' })).toEqual({})
})

test('a state freezes fields as long as an artifact is in it', () => {
  expect([...frozenFields(tracker, { [FIELDS.status]: [VALUES.closed] })]).toEqual([FIELDS.summary])
  expect([...frozenFields(tracker, { [FIELDS.status]: [VALUES.open] })]).toEqual([])
  expect([...frozenFields(tracker, {})]).toEqual([])
})

test('only a simple workflow that is in use has states', () => {
  const { workflow } = tracker
  if (!workflow) throw new Error('The sample has lost its workflow.')
  const closed = { [FIELDS.status]: [VALUES.closed] }

  expect(frozenFields(sampleTracker({ workflow: { ...workflow, is_used: false } }), closed).size).toBe(0)
  expect(frozenFields(sampleTracker({ workflow: { ...workflow, is_advanced: true } }), closed).size).toBe(0)
  expect(frozenFields(sampleTracker({ workflow: null }), closed).size).toBe(0)
})

test('a state hides fieldsets', () => {
  const hide: Action = { id: toId(3), type: 'hidden_fieldsets', fieldset_ids: [FIELDS.meta] }
  const { workflow } = tracker
  if (!workflow) throw new Error('The sample has lost its workflow.')
  const hiding = sampleTracker({ workflow: { ...workflow, transitions: [step(hide)] } })
  const open = { [FIELDS.status]: [VALUES.open] }

  expect([...hiddenFieldsets(hiding, open)]).toEqual([FIELDS.meta])
  expect(formStateOf(hiding, open)).toEqual({ frozen: new Set(), hidden: new Set([FIELDS.meta]) })
})
