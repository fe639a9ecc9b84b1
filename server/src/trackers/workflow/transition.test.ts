import { describe, expect, test } from 'vitest'
import { CRATE_FIELDS, sampleTracker, CRATE_TRANSITIONS, CRATE_VALUES } from '../../../test/fixtures/sample-tracker.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import type { Element, FieldId, StoredValues } from '../tracker.ts'
import { checkConditions, missingTransition, type Mover, transitionOf } from './transition.ts'

const tracker = sampleTracker()
const MEMBER = new Set([1, 2, 3, 5])
const mover = (more: Partial<Mover> = {}): Mover => ({ tracker, groups: MEMBER, mayRead: () => true, ...more })
const status = (...ids: number[]): StoredValues => ({ [CRATE_FIELDS.status]: ids })
const sent = (...ids: number[]) => new Map<FieldId, unknown>([[CRATE_FIELDS.status, ids]])
const NOTHING_SENT = new Map<FieldId, unknown>()

describe('a write that changes the workflow field', () => {
  test.each([
    { what: 'makes an artifact', stored: undefined, changes: sent(CRATE_VALUES.open), step: CRATE_TRANSITIONS.begin },
    {
      what: 'takes a step',
      stored: status(CRATE_VALUES.open),
      changes: sent(CRATE_VALUES.working),
      step: CRATE_TRANSITIONS.work,
    },
    {
      what: 'begins where nothing was stored',
      stored: {},
      changes: sent(CRATE_VALUES.open),
      step: CRATE_TRANSITIONS.begin,
    },
    {
      what: 'begins where None was stored',
      stored: status(),
      changes: sent(CRATE_VALUES.open),
      step: CRATE_TRANSITIONS.begin,
    },
  ])('performs a transition if it $what', ({ stored, changes, step }) => {
    expect(transitionOf(tracker, stored, changes)?.id).toBe(step)
    expect(missingTransition(mover(), stored, changes)).toBeUndefined()
  })

  test.each([
    { what: 'sends the same value', stored: status(CRATE_VALUES.open), changes: sent(CRATE_VALUES.open) },
    { what: 'says nothing about it', stored: status(CRATE_VALUES.open), changes: NOTHING_SENT },
    { what: 'makes an artifact and says nothing about it', stored: undefined, changes: NOTHING_SENT },
    { what: 'leaves it empty', stored: status(), changes: sent() },
  ])('performs none if it $what', ({ stored, changes }) => {
    expect(transitionOf(tracker, stored, changes)).toBeUndefined()
    expect(missingTransition(mover(), stored, changes)).toBeUndefined()
  })

  test.each([
    {
      what: 'begins elsewhere',
      stored: undefined,
      changes: sent(CRATE_VALUES.closed),
      params: { from: null, to: 'Closed' },
    },
    { what: 'begins with None', stored: undefined, changes: sent(), params: { from: null, to: null } },
    {
      what: 'jumps',
      stored: status(CRATE_VALUES.open),
      changes: sent(CRATE_VALUES.closed),
      params: { from: 'Open', to: 'Closed' },
    },
    { what: 'is cleared', stored: status(CRATE_VALUES.open), changes: sent(), params: { from: 'Open', to: null } },
  ])('is refused if it $what', ({ stored, changes, params }) => {
    expect(transitionOf(tracker, stored, changes)).toBeUndefined()
    expect(missingTransition(mover(), stored, changes)).toMatchObject({
      reason: 'transition_not_allowed',
      cause: 'transition_missing',
      rule: 'one_of',
      field_id: CRATE_FIELDS.status,
      name: 'status',
      label: 'Status',
      params,
    })
  })

  test('is answered with the transitions that exist and that the caller may perform', () => {
    const from = (state: number, groups: ReadonlySet<number>) =>
      missingTransition(mover({ groups }), status(state), sent(CRATE_VALUES.duplicate))?.allowed

    expect(from(CRATE_VALUES.open, MEMBER)).toEqual([{ id: CRATE_VALUES.working, label: 'Working' }])
    expect(from(CRATE_VALUES.open, new Set([1, 2]))).toEqual([])
    expect(from(CRATE_VALUES.working, MEMBER)).toEqual([])
    expect(from(CRATE_VALUES.working, new Set([3, 4]))).toEqual([{ id: CRATE_VALUES.closed, label: 'Closed' }])
  })

  test('is not answered with values of a field that the caller may not read', () => {
    const problem = missingTransition(
      mover({ mayRead: () => false }),
      status(CRATE_VALUES.open),
      sent(CRATE_VALUES.closed),
    )

    expect(problem).toEqual({ reason: 'rule_violated', cause: 'hidden_rule' })
  })

  test.each([
    { what: 'there is no workflow', changed: sampleTracker({ workflow: null }) },
    {
      what: 'it is not in use',
      changed: sampleTracker({ workflow: tracker.workflow && { ...tracker.workflow, is_used: false } }),
    },
  ])('is unrestricted if $what', ({ changed }) => {
    expect(
      missingTransition(mover({ tracker: changed }), status(CRATE_VALUES.open), sent(CRATE_VALUES.closed)),
    ).toBeUndefined()
    expect(transitionOf(changed, status(CRATE_VALUES.open), sent(CRATE_VALUES.working))).toBeUndefined()
  })
})

describe('the conditions of a transition', () => {
  const close = tracker.workflow?.transitions.find(({ id }) => id === CRATE_TRANSITIONS.close)
  const begin = tracker.workflow?.transitions.find(({ id }) => id === CRATE_TRANSITIONS.begin)
  if (!close || !begin) throw new Error('The sample has lost its transitions.')
  const good = { merged: { [CRATE_FIELDS.points]: 3, [CRATE_FIELDS.places]: [CRATE_VALUES.barn] }, comment: 'Done.' }
  const admin = mover({ groups: new Set([3, 4]) })

  test('are met if all of them hold', () => {
    expect(checkConditions(admin, close, good)).toEqual([])
  })

  test('are all reported at once', () => {
    expect(checkConditions(mover(), close, { merged: {}, comment: ' \n ' })).toMatchObject([
      {
        reason: 'transition_not_allowed',
        cause: 'transition_group',
        who_may: [{ user_group: `${ORCHARD}_4` }],
        field_id: CRATE_FIELDS.status,
      },
      { reason: 'field_required', cause: 'transition_field_empty', field_id: CRATE_FIELDS.points, label: 'Points' },
      { reason: 'field_required', cause: 'transition_field_empty', field_id: CRATE_FIELDS.places },
      { reason: 'rule_violated', cause: 'comment_required' },
    ])
  })

  test.each([
    {
      values: { [CRATE_FIELDS.points]: null, [CRATE_FIELDS.places]: [CRATE_VALUES.barn] },
      empty: [CRATE_FIELDS.points],
    },
    { values: { [CRATE_FIELDS.points]: 0, [CRATE_FIELDS.places]: [] }, empty: [CRATE_FIELDS.places] },
    { values: { [CRATE_FIELDS.points]: 0, [CRATE_FIELDS.places]: [CRATE_VALUES.yard] }, empty: [] },
  ])('treat $values as empty in $empty', ({ values, empty }) => {
    const problems = checkConditions(admin, close, { ...good, merged: values })

    expect(problems.map(({ field_id }) => field_id)).toEqual(empty)
  })

  test('do not name a field that the caller may not read', () => {
    const mayRead = ({ id }: Element) => id !== CRATE_FIELDS.points
    const [problem] = checkConditions({ ...admin, mayRead }, close, { ...good, merged: { [CRATE_FIELDS.places]: [1] } })

    expect(problem).toEqual({ reason: 'rule_violated', cause: 'hidden_rule' })
  })

  test('require no group of the platform itself', () => {
    expect(checkConditions(mover({ groups: new Set() }), close, { ...good, isWorkflowUser: true })).toEqual([])
  })

  test('require no comment for a new artifact', () => {
    expect(checkConditions(mover(), { ...begin, needs_comment: true }, { merged: {}, comment: '' })).toEqual([])
  })

  test('name groups as the API does', () => {
    const [problem] = checkConditions(mover(), { ...begin, groups: [LEADS, 2] }, { merged: {}, comment: '' })
    const [refused] = checkConditions(
      mover({ groups: new Set() }),
      { ...begin, groups: [LEADS, 2] },
      {
        merged: {},
        comment: '',
      },
    )

    expect(problem).toBeUndefined()
    expect(refused?.who_may).toEqual([{ user_group: String(LEADS) }, { user_group: '2' }])
  })
})
