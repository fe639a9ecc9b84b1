import { describe, expect, test } from 'vitest'
import { writingWith } from '../../../test/fixtures/one-field.ts'
import { sampleAccess, type SampleAccess } from '../../../test/fixtures/sample-access.ts'
import { CRATE_FIELDS, CRATE_VALUES, sampleTracker } from '../../../test/fixtures/sample-tracker.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { decideValues, findItems, hasNewValues, isNewValue, throwProblems } from './decide-values.ts'
import type { ArtifactValues } from './schemas.ts'

const { summary, status, points, due, budget, old, main } = CRATE_FIELDS
const { open, working, closed } = CRATE_VALUES

interface Case extends SampleAccess {
  readonly stored?: Record<string, unknown>
  readonly isFree?: boolean
  readonly isDryRun?: boolean
}

async function decide(input: ArtifactValues, given: Case = {}) {
  const access = sampleAccess(given)
  const { stored, isFree = false, isDryRun = false } = given
  const changes = await decideValues({
    access,
    given: findItems(access, input, !stored),
    stored,
    isFree,
    isDryRun,
    reading: undefined,
    writing: (element) => ({
      ...writingWith({}),
      tracker: access.tracker,
      stored: stored?.[String(element.id)],
    }),
  })
  return Object.fromEntries(changes)
}

/** The problems, each as its reason, cause, field and path. */
async function problems(input: ArtifactValues, given: Case = {}): Promise<unknown> {
  try {
    return await decide(input, given)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.details?.all?.map((each) => [
      each.reason,
      each.cause,
      each.name,
      ...('path' in each ? [each.path] : []),
    ])
  }
}

const byId = (id: number, item: object) => ({ values: [{ field_id: id, ...item }] })
const named = (values_by_field: Record<string, unknown>) => ({ values_by_field })
const STORED = { [summary]: 'Pump', [status]: [open], [points]: 5 }

describe('a field', () => {
  test('is found by id and by name, once', () => {
    const access = sampleAccess({})
    const twice = { values: [{ field_id: points }, { field_id: due }, { field_id: points }] }
    expect(findItems(access, twice)).toMatchObject({
      items: [{ path: 'values[0]' }, { path: 'values[1]' }],
      problems: [{ reason: 'field_duplicate', path: 'values[2]', name: 'points' }],
    })
    expect(findItems(access, named({ points: 3, due: { value: null } }))).toMatchObject({
      items: [
        { path: 'values_by_field.points', raw: { value: 3 } },
        { path: 'values_by_field.due', raw: { value: null } },
      ],
      problems: [],
    })
  })

  test.each([
    { what: 'that is not used', id: old, given: {} },
    { what: 'that is a fieldset', id: main, given: {} },
    { what: 'that does not exist', id: 1, given: {} },
    { what: 'that the caller may not read', id: budget, given: { hidden: ['budget'] } },
  ])('$what is unknown', ({ id, given }) => {
    expect(findItems(sampleAccess(given), byId(id, {}))).toMatchObject({
      items: [],
      problems: [{ reason: 'reference_unknown', cause: 'field_unknown', path: 'values[0]' }],
    })
  })

  test('that can be submitted and not read is known in a new artifact only', () => {
    const access = sampleAccess({ hidden: ['budget'] })
    expect(findItems(access, byId(budget, {}), true).items).toHaveLength(1)
    expect(findItems(access, byId(budget, {}), false).items).toEqual([])
    expect(findItems(sampleAccess({ hidden: ['budget'], locked: ['budget'] }), byId(budget, {}), true).items).toEqual(
      [],
    )
  })
})

describe('a new artifact', () => {
  test('has the values that are sent, and defaults', async () => {
    expect(await decide(named({ summary: 'Pump', points: 3 }))).toEqual({
      [summary]: 'Pump',
      [status]: [open],
      [points]: 3,
    })
  })

  test('needs its required fields, of those that the caller may write', async () => {
    expect(await problems(named({ points: 3 }))).toEqual([['field_required', undefined, 'summary']])
    expect(await problems(named({ summary: '' }))).toEqual([
      ['field_required', undefined, 'summary', 'values_by_field.summary.value'],
    ])
    expect(await problems(named({ points: 3 }), { locked: ['summary'] })).toMatchObject({ [points]: 3 })
    expect(await problems(named({ summary: '' }), { isFree: true })).toMatchObject({ [status]: [open] })
    expect(await problems(named({}), { isFree: true })).toEqual({ [status]: [open] })
  })

  test('begins only where the workflow lets it', async () => {
    const wrong = ['transition_not_allowed', 'transition_missing', 'status']
    const inStatus = (item: object) => ({
      values: [
        { field_id: summary, value: 'x' },
        { field_id: status, ...item },
      ],
    })
    expect(await problems(inStatus({ bind_value_ids: [closed] }))).toEqual([[...wrong, 'values[1].bind_value_ids[0]']])
    expect(await problems(named({ summary: 'x', status: 'Closed' }))).toEqual([
      [...wrong, 'values_by_field.status.value'],
    ])
    expect(await problems(named({ summary: 'x', status: 'Closed' }), { isFree: true })).toMatchObject({
      [status]: [closed],
    })
    const elements = sampleTracker().elements.map((each) =>
      each.id === status ? { ...each, default: [closed] } : each,
    )
    expect(await problems(named({ summary: 'x' }), { change: { elements } })).toEqual([[...wrong, 'values']])
  })
})

describe('a stored value', () => {
  test('is changed, and kept if the same is sent or nothing', async () => {
    expect(await decide(named({ points: 6 }), { stored: STORED })).toEqual({ [points]: 6 })
    expect(await decide(named({ points: 5 }), { stored: STORED })).toEqual({})
    expect(await decide(named({ due: null }), { stored: STORED })).toEqual({})
    expect(await decide(named({}), { stored: STORED })).toEqual({})
  })

  test('is written with the permission to update, and sent back without', async () => {
    const locked = { stored: STORED, locked: ['points', 'due'] }
    expect(await problems(named({ points: 6, due: '2026-03-05' }), locked)).toEqual([
      ['field_not_writable', 'field_not_updatable', 'points', 'values_by_field.points'],
      ['field_not_writable', 'field_not_updatable', 'due', 'values_by_field.due'],
    ])
    expect(await problems(named({ points: 5, due: null }), locked)).toEqual({})
    expect(await problems(named({ summary: 'x', points: 6 }), { locked: ['points'] })).toEqual([
      ['field_not_writable', 'field_not_submittable', 'points', 'values_by_field.points'],
    ])
  })

  test('of a wrong kind is a problem of its own, in the order of the form', async () => {
    const wrong = await problems(named({ due: 'soon', points: 'many', nonsense: 1 }), { stored: STORED })
    expect(wrong).toMatchObject([
      ['reference_unknown', 'field_unknown', undefined, 'values_by_field.nonsense'],
      ['value_invalid', expect.any(String), 'points', 'values_by_field.points.value'],
      ['value_invalid', expect.any(String), 'due', 'values_by_field.due.value'],
    ])
  })

  test('that is missing is required, if the caller may write it', async () => {
    const stored = { [status]: [open] }
    expect(await problems(named({ points: 1 }), { stored })).toEqual([['field_required', undefined, 'summary']])
    expect(await problems(named({ points: 1 }), { stored, locked: ['summary'] })).toEqual({ [points]: 1 })
    expect(await problems(named({ points: 1 }), { stored, isFree: true })).toEqual({ [points]: 1 })
  })

  test('is frozen in a state that freezes it', async () => {
    const stored = { ...STORED, [status]: [closed] }
    const frozen = ['rule_violated', 'field_frozen', 'summary', 'values_by_field.summary']
    expect(await problems(named({ summary: 'x', points: 6 }), { stored })).toEqual([frozen])
    expect(await problems(named({ summary: 'Pump', points: 6 }), { stored })).toEqual({ [points]: 6 })
    expect(await problems(named({ summary: 'x' }), { stored: STORED })).toEqual({ [summary]: 'x' })
    expect(await problems(named({ points: 6 }), { stored: { [status]: [closed] } })).toEqual({ [points]: 6 })
    const { workflow } = sampleTracker()
    const change = { workflow: workflow && { ...workflow, is_used: false } }
    expect(await problems(named({ summary: 'x' }), { stored, change })).toEqual({ [summary]: 'x' })
    const hidden = ['status']
    expect(await problems(named({ summary: 'x' }), { stored, hidden })).toMatchObject([
      ['rule_violated', 'hidden_rule', 'summary', 'values_by_field.summary'],
    ])
    expect(await problems(named({ summary: 'x' }), { stored, hidden, isDryRun: true })).toEqual({ [summary]: 'x' })
  })

  test('moves only along the workflow', async () => {
    expect(await decide(named({ status: 'Working' }), { stored: STORED })).toEqual({ [status]: [working] })
    expect(await problems(named({ status: 'Closed' }), { stored: STORED })).toMatchObject([
      ['transition_not_allowed', 'transition_missing', 'status', 'values_by_field.status.value'],
    ])
  })
})

test('problems are thrown together, with the first as the reason, and none is no error', () => {
  const first = { reason: 'field_required', field_id: 1, name: 'a', label: 'A', rule: 'required' } as const
  const second = { reason: 'value_invalid', path: 'values[1]' } as const
  expect(() => throwProblems([])).not.toThrow()
  expect(() => throwProblems([first, second])).toThrow(
    expect.objectContaining({ reason: 'field_required', details: { rule: 'required', all: [first, second] } }),
  )
})

test.each<[value: unknown, isNew: boolean]>([
  [{ id: 0, label: 'red' }, true],
  [{ id: 5, label: 'red' }, false],
  [{ id: 0 }, false],
  [{ label: 'red' }, false],
  [null, false],
  ['red', false],
])('%j is a label that does not exist yet: %s', (value, isNew) => {
  expect(isNewValue(value)).toBe(isNew)
  expect(hasNewValues(new Map([[points, [7, value]]]))).toBe(isNew)
  expect(hasNewValues(new Map([[points, value]]))).toBe(false)
})
