import { expect, test } from 'vitest'
import { definitionProblems } from '../../../test/fixtures/changed-definition.ts'
import type { TrackerDefinition } from './schemas.ts'

test.each<[string, NonNullable<TrackerDefinition['semantics']>, unknown[]]>([
  ['an unknown field', { title: 'nothing' }, [['/semantics/title', 'reference_unknown']]],
  ['a field of the wrong type', { title: 'days' }, [['/semantics/title', 'parameter_not_allowed']]],
  ['a field out of use', { title: 'old' }, [['/semantics/title', 'rule_violated', 'field_in_use']]],
  ['a string for the description', { description: 'summary' }, [['/semantics/description', 'parameter_not_allowed']]],
  [
    'a status of many values',
    { status: { field: 'box', open: [] } },
    [['/semantics/status/field', 'parameter_not_allowed']],
  ],
  [
    'an unknown value of the status',
    { status: { field: 'status', open: ['opened'] } },
    [['/semantics/status/open/0', 'reference_unknown']],
  ],
  ['no people as contributors', { contributor: 'team' }, [['/semantics/contributor', 'parameter_not_allowed']]],
  [
    'a duration that is a date',
    { timeframe: { start: 'start', duration: 'closed_on' } },
    [['/semantics/timeframe/duration', 'parameter_not_allowed']],
  ],
  [
    'a tracker to take the time from that there is not',
    { timeframe: { implied_from: 'sprint' } },
    [['/semantics/timeframe/implied_from', 'reference_unknown']],
  ],
  [
    'an unknown type of links',
    { progress: { link_type: 'eats' } },
    [['/semantics/progress/link_type', 'reference_unknown']],
  ],
  ['an effort in words', { initial_effort: 'fruit' }, [['/semantics/initial_effort', 'parameter_not_allowed']]],
  ['what is done without a status', { done: ['open'] }, [['/semantics/done', 'parameter_required']]],
  [
    'what is both open and done',
    { status: { field: 'status', open: ['open'] }, done: ['open'] },
    [['/semantics/done', 'parameter_conflict']],
  ],
])('refuses semantics with %s', (_, semantics, problems) => {
  expect(definitionProblems((document) => void (document.semantics = semantics))).toEqual(problems)
})
