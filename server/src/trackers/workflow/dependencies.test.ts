import { expect, test } from 'vitest'
import { FIELDS, sampleTracker, VALUES } from '../../../test/sample-tracker.ts'
import { type ListRule, NONE } from '../tracker.ts'
import { checkListRules } from './dependencies.ts'

const { severity, places } = FIELDS
const { low, high, barn, yard } = VALUES
const sight = { tracker: sampleTracker(), mayRead: () => true }

test.each([
  { why: 'the source has no value yet', values: { [places]: [yard] } },
  { why: 'the only value is allowed', values: { [severity]: [low], [places]: [barn] } },
  { why: 'all values are allowed', values: { [severity]: [high], [places]: [barn, yard] } },
])('lists go together where $why', ({ values }) => {
  expect(checkListRules(sight, values)).toBeUndefined()
})

test.each([
  { why: 'one value is not allowed', values: { [severity]: [low], [places]: [barn, yard] } },
  { why: 'the target has no value', values: { [severity]: [low], [places]: [] } },
  { why: 'the target never had one', values: { [severity]: [low] } },
  { why: 'the source is None, which allows nothing', values: { [severity]: [], [places]: [barn] } },
])('lists do not go together where $why', ({ values }) => {
  expect(checkListRules(sight, values)).toMatchObject({
    reason: 'value_not_allowed',
    cause: 'dependency',
    rule: 'one_of',
    field_id: places,
  })
})

test('None goes where a rule says so', () => {
  const rule: ListRule = { source: severity, source_value: NONE, target: places, target_value: NONE }
  const tracker = sampleTracker({ rules: { dates: [], lists: [...sight.tracker.rules.lists, rule] } })

  expect(checkListRules({ ...sight, tracker }, { [severity]: [], [places]: [] })).toBeUndefined()
  expect(checkListRules({ ...sight, tracker }, { [severity]: [], [places]: [barn] })).toMatchObject({
    allowed: [{ id: NONE, label: '' }],
  })
})

test('each target value needs one source that allows it, not all', () => {
  expect(checkListRules(sight, { [severity]: [low, high], [places]: [yard] })).toBeUndefined()
})

test('a problem names both fields, their values, and what would do', () => {
  expect(checkListRules(sight, { [severity]: [low], [places]: [yard] })).toMatchObject({
    name: 'places',
    allowed: [{ id: barn, label: 'Barn' }],
    params: { source: 'Severity', source_values: 'Low', target: 'Places', target_values: 'Yard' },
  })
})

test('a problem names nothing that the person may not read', () => {
  const problem = checkListRules({ ...sight, mayRead: () => false }, { [severity]: [low], [places]: [yard] })

  expect(problem).toEqual({ reason: 'value_not_allowed', cause: 'dependency', rule: 'one_of', params: {} })
})
