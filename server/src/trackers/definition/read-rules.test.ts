import { expect, test } from 'vitest'
import { definitionProblems } from '../../../test/fixtures/changed-definition.ts'
import type { TrackerDefinition } from './schemas.ts'

test.each<[string, NonNullable<TrackerDefinition['rules']>, unknown[]]>([
  [
    'what is no date',
    { dates: [{ source: 'days', comparator: '<', target: 'start' }] },
    [['/rules/dates/0/source', 'parameter_not_allowed']],
  ],
  [
    'a date beside itself',
    { dates: [{ source: 'start', comparator: '<', target: 'start' }] },
    [['/rules/dates/0/target', 'parameter_conflict']],
  ],
  [
    'unknown values',
    { lists: [{ source: 'fruit', target: 'box', allow: { plums: ['small'], pears: ['huge'] } }] },
    [
      ['/rules/lists/0/allow/plums', 'reference_unknown'],
      ['/rules/lists/0/allow/pears/0', 'reference_unknown'],
    ],
  ],
  [
    'fields that follow each other',
    {
      lists: [
        { source: 'fruit', target: 'box', allow: {} },
        { source: 'box', target: 'fruit', allow: {} },
      ],
    },
    [['/rules/lists/1/target', 'parameter_conflict']],
  ],
  [
    'a field that follows two',
    {
      lists: [
        { source: 'fruit', target: 'box', allow: {} },
        { source: 'status', target: 'box', allow: {} },
      ],
    },
    [['/rules/lists/1/target', 'parameter_conflict']],
  ],
  [
    'a field that follows itself',
    { lists: [{ source: 'fruit', target: 'fruit', allow: {} }] },
    [['/rules/lists/0/target', 'parameter_conflict']],
  ],
])('refuses rules with %s', (_, rules, problems) => {
  expect(definitionProblems((document) => void (document.rules = rules))).toEqual(problems)
})
