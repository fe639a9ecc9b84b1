import { expect, test } from 'vitest'
import { CRATE_FIELDS, sampleTracker, CRATE_VALUES } from '../../../test/fixtures/sample-tracker.ts'
import { toId } from '../../platform/database/ids.ts'
import type { Action, Transition } from '../tracker.ts'
import { formStateOf, frozenFields, hiddenFieldsets } from './frozen-fields.ts'
import { preActions } from './pre-actions.ts'

const tracker = sampleTracker()
const now = new Date('2026-03-01T23:30:15.123Z')
const step = (...actions: Action[]): Transition => ({
  id: toId(1),
  from: null,
  to: CRATE_VALUES.open,
  groups: [],
  not_empty: [],
  needs_comment: false,
  actions,
})
const set = (field_id: typeof CRATE_FIELDS.due, value: number | 'current' | '' | null): Action => ({
  id: toId(2),
  type: 'set_field_value',
  field_id,
  value,
})

test.each([
  { what: 'today, where the caller is', action: set(CRATE_FIELDS.due, 'current'), value: '2026-03-02' },
  { what: 'this moment', action: set(CRATE_FIELDS.started, 'current'), value: '2026-03-01T23:30:15.000Z' },
  { what: 'no date', action: set(CRATE_FIELDS.due, ''), value: null },
  { what: 'a number', action: set(CRATE_FIELDS.points, 5), value: 5 },
  { what: 'zero', action: set(CRATE_FIELDS.points, 0), value: 0 },
])('a transition sets $what', ({ action, value }) => {
  const changes = preActions(tracker, step(action), { now, zone: 'Europe/Berlin' })

  expect(Object.values(changes)).toEqual([value])
})

test('it ignores actions without a value and unused fields', () => {
  expect(
    preActions(tracker, step(set(CRATE_FIELDS.due, null), set(CRATE_FIELDS.old, 5)), { now, zone: 'UTC' }),
  ).toEqual({})
})

test('a state freezes fields while an artifact is in it', () => {
  expect([...frozenFields(tracker, { [CRATE_FIELDS.status]: [CRATE_VALUES.closed] })]).toEqual([CRATE_FIELDS.summary])
  expect([...frozenFields(tracker, { [CRATE_FIELDS.status]: [CRATE_VALUES.open] })]).toEqual([])
  expect([...frozenFields(tracker, {})]).toEqual([])
})

test('only a used workflow in simple mode has states', () => {
  const { workflow } = tracker
  if (!workflow) throw new Error('The sample has lost its workflow.')
  const closed = { [CRATE_FIELDS.status]: [CRATE_VALUES.closed] }

  expect(frozenFields(sampleTracker({ workflow: { ...workflow, is_used: false } }), closed).size).toBe(0)
  expect(frozenFields(sampleTracker({ workflow: { ...workflow, is_advanced: true } }), closed).size).toBe(0)
  expect(frozenFields(sampleTracker({ workflow: null }), closed).size).toBe(0)
})

test('a state hides fieldsets', () => {
  const hide: Action = { id: toId(3), type: 'hidden_fieldsets', fieldset_ids: [CRATE_FIELDS.meta] }
  const { workflow } = tracker
  if (!workflow) throw new Error('The sample has lost its workflow.')
  const hiding = sampleTracker({ workflow: { ...workflow, transitions: [step(hide)] } })
  const open = { [CRATE_FIELDS.status]: [CRATE_VALUES.open] }

  expect([...hiddenFieldsets(hiding, open)]).toEqual([CRATE_FIELDS.meta])
  expect(formStateOf({ tracker: hiding, mayRead: () => true }, open)).toEqual({
    frozen: new Set(),
    hidden: new Set([CRATE_FIELDS.meta]),
  })
})
