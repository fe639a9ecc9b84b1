import { expect, test } from 'vitest'
import type { UserFull } from '../../accounts/users/schemas.ts'
import { toId } from '../../platform/database/ids.ts'
import { oneField } from '../../../test/fixtures/one-field.ts'
import { artifactIdField } from './artifact-id/artifact-id-field.ts'
import { burndownField } from './burndown/burndown-field.ts'
import { burnupField } from './burnup/burnup-field.ts'
import { crossReferencesField } from './cross-references/cross-references-field.ts'
import { lastUpdateDateField } from './last-update-date/last-update-date-field.ts'
import { lastUpdaterField } from './last-updater/last-updater-field.ts'
import { numberInTrackerField } from './number-in-tracker/number-in-tracker-field.ts'
import { rankField } from './rank/rank-field.ts'
import { submissionDateField } from './submission-date/submission-date-field.ts'
import { submitterField } from './submitter/submitter-field.ts'

const BOB: UserFull = {
  id: 103,
  uri: 'users/103',
  user_url: '/users/bob',
  real_name: 'Bob Keller',
  display_name: 'Bob Keller (bob)',
  username: 'bob',
  ldap_id: '',
  avatar_url: 'https://waypost.example/users/bob/avatar.png',
  is_anonymous: false,
  has_avatar: true,
  email: 'bob@waypost.example',
  status: 'A',
}
const CHART = { start_date: '2026-03-02T00:00:00+00:00', duration: 14, points: [5, 3] }
const ALL = [
  artifactIdField,
  numberInTrackerField,
  rankField,
  submitterField,
  lastUpdaterField,
  submissionDateField,
].concat(lastUpdateDateField, crossReferencesField, burndownField, burnupField)

const facts = {
  id: 12,
  number: 3,
  rank: 42,
  submitted_by: toId<never>(103),
  submitted_on: new Date('2026-03-01T09:00:00Z'),
  last_update_by: null,
  last_modified_date: new Date('2026-03-02T14:31:07.900Z'),
}
const reading = {
  facts,
  user: (id: number) => (id === BOB.id ? BOB : undefined),
  burndown: () => CHART,
  burnup: () => CHART,
}

test.each([
  [artifactIdField, 12, 12],
  [numberInTrackerField, 3, 3],
  [rankField, 42, 42],
  [submitterField, BOB, 'bob'],
  [submissionDateField, '2026-03-01T09:00:00+00:00', '2026-03-01T09:00:00+00:00'],
  [lastUpdateDateField, '2026-03-02T14:31:07+00:00', '2026-03-02T14:31:07+00:00'],
  [burndownField, CHART, null],
  [burnupField, CHART, null],
])("$type shows the platform's value", (type, value, flat) => {
  const field = oneField(type, { reading })
  expect(field.read(undefined)).toEqual({ value })
  expect(field.flat(undefined)).toEqual(flat)
})

test('an anonymous user is shown with a display name and null members', () => {
  const field = oneField(lastUpdaterField, { reading })
  expect(field.read(undefined)).toEqual({
    value: {
      id: null,
      uri: null,
      user_url: null,
      real_name: null,
      display_name: 'Anonymous',
      username: null,
      ldap_id: null,
      avatar_url: 'https://waypost.example/users/anonymous/avatar.png',
      is_anonymous: true,
      has_avatar: false,
      email: null,
      status: null,
    },
  })
  expect(field.flat(undefined)).toBeNull()
})

test('a chart that cannot be computed is omitted', () => {
  expect(oneField(burndownField).read(undefined)).toBeUndefined()
  expect(oneField(burnupField).read(undefined)).toBeUndefined()
})

test('references are ordered: outgoing, incoming, both', () => {
  const reference = (ref: string, direction: 'in' | 'out' | 'both') => ({ ref, url: `https://${ref}`, direction })
  const [both, into, out] = [reference('art #1', 'both'), reference('art #2', 'in'), reference('art #3', 'out')]
  const field = oneField(crossReferencesField, { reading: { references: [both, into, out] } })
  expect(field.read(undefined)).toEqual({ value: [out, into, both] })
  expect(field.flat(undefined)).toEqual(['art #1', 'art #2', 'art #3'])
  expect(oneField(crossReferencesField).read(undefined)).toBeUndefined()
})

test.each([
  [artifactIdField, {}],
  [numberInTrackerField, {}],
  [rankField, {}],
  [crossReferencesField, {}],
  [burnupField, {}],
  [submitterField, { values: [], default_value: [], bindings: { type: 'users', list: [] } }],
  [lastUpdaterField, { values: [], default_value: [] }],
  [submissionDateField, { extra: { is_time_displayed: true } }],
  [lastUpdateDateField, { extra: { is_time_displayed: true } }],
  [burndownField, { specific_properties: { use_capacity: 0, include_weekends: 0, use_cache: 0 } }],
])('$type is described', (type, described) => {
  expect(oneField(type).describe()).toEqual(described)
})

test('the settings of a burndown accept true and false', () => {
  expect(oneField(burndownField, { properties: { include_weekends: true, use_cache: false } }).describe()).toEqual({
    specific_properties: { use_capacity: 0, include_weekends: 1, use_cache: 0 },
  })
})

test.each([artifactIdField, numberInTrackerField, burndownField, burnupField])('$type refuses writes', async (type) => {
  expect(await oneField(type).refusal({ value: 1 })).toEqual({
    reason: 'rule_violated',
    path: 'value',
    cause: 'field_read_only',
  })
})

test.each([
  submitterField,
  lastUpdaterField,
  submissionDateField,
  lastUpdateDateField,
  rankField,
  crossReferencesField,
])('$type ignores written values', (type) => {
  expect(type).not.toHaveProperty('write')
})

test.each(ALL)('$type stores nothing, requires nothing, and migrates to a field of its type', (type) => {
  for (const member of ['isWritable', 'canBeRequired', 'defaultFor', 'readDefault'])
    expect(type).not.toHaveProperty(member)
  expect(oneField(type).migrate(undefined, type.type)).toEqual({ value: undefined, isPartial: false })
  expect(oneField(type).migrate(undefined, 'string')).toBeUndefined()
})
