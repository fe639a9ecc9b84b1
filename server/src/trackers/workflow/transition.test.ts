import { describe, expect, test } from 'vitest'
import { FIELDS, sampleTracker, STEPS, VALUES } from '../../../test/sample-tracker.ts'
import { LEADS, ORCHARD } from '../../../test/places.ts'
import type { Element, FieldId, StoredValues } from '../tracker.ts'
import { checkConditions, missingTransition, type Mover, transitionOf } from './transition.ts'

const tracker = sampleTracker()
const MEMBER = new Set([1, 2, 3, 5])
const mover = (more: Partial<Mover> = {}): Mover => ({ tracker, groups: MEMBER, mayRead: () => true, ...more })
const status = (...ids: number[]): StoredValues => ({ [FIELDS.status]: ids })
const sent = (...ids: number[]) => new Map<FieldId, unknown>([[FIELDS.status, ids]])
const NOTHING_SENT = new Map<FieldId, unknown>()

describe('a write that moves the field of the workflow', () => {
  test.each([
    { what: 'makes an artifact', stored: undefined, changes: sent(VALUES.open), step: STEPS.begin },
    { what: 'takes a step', stored: status(VALUES.open), changes: sent(VALUES.working), step: STEPS.work },
    { what: 'begins where nothing was stored', stored: {}, changes: sent(VALUES.open), step: STEPS.begin },
    { what: 'begins where None was stored', stored: status(), changes: sent(VALUES.open), step: STEPS.begin },
  ])('performs a transition when it $what', ({ stored, changes, step }) => {
    expect(transitionOf(tracker, stored, changes)?.id).toBe(step)
    expect(missingTransition(mover(), stored, changes)).toBeUndefined()
  })

  test.each([
    { what: 'sends the same value', stored: status(VALUES.open), changes: sent(VALUES.open) },
    { what: 'says nothing about it', stored: status(VALUES.open), changes: NOTHING_SENT },
    { what: 'makes an artifact and says nothing about it', stored: undefined, changes: NOTHING_SENT },
    { what: 'leaves it empty', stored: status(), changes: sent() },
  ])('performs none when it $what', ({ stored, changes }) => {
    expect(transitionOf(tracker, stored, changes)).toBeUndefined()
    expect(missingTransition(mover(), stored, changes)).toBeUndefined()
  })

  test.each([
    { what: 'begins elsewhere', stored: undefined, changes: sent(VALUES.closed), params: { from: null, to: 'Closed' } },
    { what: 'begins with None', stored: undefined, changes: sent(), params: { from: null, to: null } },
    {
      what: 'jumps',
      stored: status(VALUES.open),
      changes: sent(VALUES.closed),
      params: { from: 'Open', to: 'Closed' },
    },
    { what: 'is cleared', stored: status(VALUES.open), changes: sent(), params: { from: 'Open', to: null } },
  ])('is refused when it $what', ({ stored, changes, params }) => {
    expect(transitionOf(tracker, stored, changes)).toBeUndefined()
    expect(missingTransition(mover(), stored, changes)).toMatchObject({
      reason: 'transition_not_allowed',
      cause: 'transition_missing',
      rule: 'one_of',
      field_id: FIELDS.status,
      name: 'status',
      label: 'Status',
      params,
    })
  })

  test('is told where it may go: where there is a step, and for this person', () => {
    const from = (state: number, groups: ReadonlySet<number>) =>
      missingTransition(mover({ groups }), status(state), sent(VALUES.duplicate))?.allowed

    expect(from(VALUES.open, MEMBER)).toEqual([{ id: VALUES.working, label: 'Working' }])
    expect(from(VALUES.open, new Set([1, 2]))).toEqual([])
    expect(from(VALUES.working, MEMBER)).toEqual([])
    expect(from(VALUES.working, new Set([3, 4]))).toEqual([{ id: VALUES.closed, label: 'Closed' }])
  })

  test('is not told the values of a field that this person may not read', () => {
    const problem = missingTransition(mover({ mayRead: () => false }), status(VALUES.open), sent(VALUES.closed))

    expect(problem).not.toHaveProperty('allowed')
    expect(problem).not.toHaveProperty('params')
  })

  test.each([
    { what: 'there is no workflow', changed: sampleTracker({ workflow: null }) },
    {
      what: 'it is not in use',
      changed: sampleTracker({ workflow: tracker.workflow && { ...tracker.workflow, is_used: false } }),
    },
  ])('is free where $what', ({ changed }) => {
    expect(missingTransition(mover({ tracker: changed }), status(VALUES.open), sent(VALUES.closed))).toBeUndefined()
    expect(transitionOf(changed, status(VALUES.open), sent(VALUES.working))).toBeUndefined()
  })
})

describe('the conditions of a transition', () => {
  const close = tracker.workflow?.transitions.find(({ id }) => id === STEPS.close)
  const begin = tracker.workflow?.transitions.find(({ id }) => id === STEPS.begin)
  if (!close || !begin) throw new Error('The sample has lost its transitions.')
  const good = { merged: { [FIELDS.points]: 3, [FIELDS.places]: [VALUES.barn] }, comment: 'Done.' }
  const admin = mover({ groups: new Set([3, 4]) })

  test('hold where all of them do', () => {
    expect(checkConditions(admin, close, good)).toEqual([])
  })

  test('are all told at once', () => {
    expect(checkConditions(mover(), close, { merged: {}, comment: ' \n ' })).toMatchObject([
      {
        reason: 'transition_not_allowed',
        cause: 'transition_group',
        who_may: [{ user_group: `${ORCHARD}_4` }],
        field_id: FIELDS.status,
      },
      { reason: 'field_required', cause: 'transition_field_empty', field_id: FIELDS.points, label: 'Points' },
      { reason: 'field_required', cause: 'transition_field_empty', field_id: FIELDS.places },
      { reason: 'rule_violated', cause: 'comment_required' },
    ])
  })

  test.each([
    { values: { [FIELDS.points]: null, [FIELDS.places]: [VALUES.barn] }, empty: [FIELDS.points] },
    { values: { [FIELDS.points]: 0, [FIELDS.places]: [] }, empty: [FIELDS.places] },
    { values: { [FIELDS.points]: 0, [FIELDS.places]: [VALUES.yard] }, empty: [] },
  ])('take $values as empty in $empty', ({ values, empty }) => {
    const problems = checkConditions(admin, close, { ...good, merged: values })

    expect(problems.map(({ field_id }) => field_id)).toEqual(empty)
  })

  test('do not name a field that the person may not read', () => {
    const mayRead = ({ id }: Element) => id !== FIELDS.points
    const [problem] = checkConditions({ ...admin, mayRead }, close, { ...good, merged: { [FIELDS.places]: [1] } })

    expect(problem).toEqual({ reason: 'field_required', cause: 'transition_field_empty', rule: 'required' })
  })

  test('ask the platform itself for no group', () => {
    expect(checkConditions(mover({ groups: new Set() }), close, { ...good, isWorkflowUser: true })).toEqual([])
  })

  test('ask a new artifact for no comment', () => {
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
