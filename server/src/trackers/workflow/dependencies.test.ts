import { expect, test } from 'vitest'
import { CRATE_FIELDS, sampleTracker, CRATE_VALUES } from '../../../test/fixtures/sample-tracker.ts'
import { type ListRule, NONE_VALUE_ID } from '../tracker.ts'
import { checkListRules } from './dependencies.ts'

const { severity, places } = CRATE_FIELDS
const { low, high, barn, yard } = CRATE_VALUES
const access = { tracker: sampleTracker(), mayRead: () => true }

test.each([
  { why: 'the source has no value yet', values: { [places]: [yard] } },
  { why: 'the only value is allowed', values: { [severity]: [low], [places]: [barn] } },
  { why: 'all values are allowed', values: { [severity]: [high], [places]: [barn, yard] } },
])('lists match if $why', ({ values }) => {
  expect(checkListRules(access, values)).toBeUndefined()
})

test.each([
  { why: 'one value is not allowed', values: { [severity]: [low], [places]: [barn, yard] } },
  { why: 'the target has no value', values: { [severity]: [low], [places]: [] } },
  { why: 'the target never had one', values: { [severity]: [low] } },
  { why: 'the source is None, which allows nothing', values: { [severity]: [], [places]: [barn] } },
])('lists do not match if $why', ({ values }) => {
  expect(checkListRules(access, values)).toMatchObject({
    reason: 'value_not_allowed',
    cause: 'dependency',
    rule: 'one_of',
    field_id: places,
  })
})

test('None is allowed if a rule lists it', () => {
  const rule: ListRule = { source: severity, source_value: NONE_VALUE_ID, target: places, target_value: NONE_VALUE_ID }
  const tracker = sampleTracker({ rules: { dates: [], lists: [...access.tracker.rules.lists, rule] } })

  expect(checkListRules({ ...access, tracker }, { [severity]: [], [places]: [] })).toBeUndefined()
  expect(checkListRules({ ...access, tracker }, { [severity]: [], [places]: [barn] })).toMatchObject({
    allowed: [{ id: NONE_VALUE_ID, label: '' }],
  })
})

test('each target value needs at least one source value that allows it', () => {
  expect(checkListRules(access, { [severity]: [low, high], [places]: [yard] })).toBeUndefined()
})

test('a problem names both fields, their values, and the allowed values', () => {
  expect(checkListRules(access, { [severity]: [low], [places]: [yard] })).toMatchObject({
    name: 'places',
    allowed: [{ id: barn, label: 'Barn' }],
    params: { source: 'Severity', source_values: 'Low', target: 'Places', target_values: 'Yard' },
  })
})

test('a problem does not reveal fields that the caller may not read', () => {
  const values = { [severity]: [low], [places]: [yard] }
  const generic = { reason: 'rule_violated', cause: 'hidden_rule' }

  expect(checkListRules({ ...access, mayRead: () => false }, values)).toEqual(generic)
  expect(checkListRules({ ...access, mayRead: ({ id }) => id !== severity }, values)).toEqual(generic)
  expect(checkListRules({ ...access, mayRead: ({ id }) => id !== places }, values)).toEqual(generic)
})
