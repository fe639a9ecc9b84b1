import { describe, expect, test } from 'vitest'
import { TOM, UMA } from '../../../test/fixtures/people.ts'
import {
  plots,
  plot,
  tree,
  conditionOf,
  queryProblems,
  expectedTextCondition,
  expectedChosenCondition,
  NOTHING_CONDITION,
} from '../../../test/fixtures/plots-and-trees.ts'
import { testQueryScope, testTrackerAccess } from '../../../test/fixtures/query-scope.ts'

describe('metadata', () => {
  test.each([
    ['@title = "x"', expectedTextCondition('x', 8001)],
    ['@description != ""', { kind: 'text', field: { id: 8002, member: 'content' }, isThere: true }],
    ['@status = OPEN()', expectedChosenCondition(8003, 8100)],
    ['@status != OPEN()', { kind: 'not', of: expectedChosenCondition(8003, 8100) }],
    ['@assigned_to IN (MYSELF(), "uma")', expectedChosenCondition(8004, TOM.id, UMA.id)],
    ['@submitted_by != "uma"', { kind: 'not', of: { kind: 'person', fact: 'submitted_by', ids: [UMA.id] } }],
    ['@last_update_by = MYSELF()', { kind: 'person', fact: 'last_update_by', ids: [TOM.id] }],
    [
      '@submitted_on < "2026-03-01"',
      { kind: 'instant', fact: 'submitted_on', before: new Date('2026-02-28T23:00:00Z') },
    ],
    [
      '@last_update_date >= "2026-03-01 10:00"',
      { kind: 'instant', fact: 'last_modified_date', from: new Date('2026-03-01T09:00:00Z') },
    ],
    ['@id BETWEEN (1, 2.5)', { kind: 'fact', fact: 'id', from: 1, to: 2 }],
    ['@comments = "x"', { kind: 'comment', contains: 'x', readers: [1, 5, 2, 3] }],
    ['@comments = ""', { kind: 'not', of: { kind: 'comment', contains: null, readers: [1, 5, 2, 3] } }],
  ])('%s becomes the condition it stands for', async (text, condition) => {
    expect(await conditionOf(text)).toEqual(condition)
  })

  test('that the tracker lacks or the viewer may not read is never true', async () => {
    const scope = testQueryScope([tree])
    expect(await conditionOf('@status != OPEN()', scope)).toEqual(NOTHING_CONDITION)
    expect(await conditionOf('@assigned_to = "nobody knows" OR name = "x"', scope)).toEqual(
      expectedTextCondition('x', 8300),
    )
    const outside = testQueryScope([{ ...plot, readable: plot.readable.filter(({ name }) => name !== 'summary') }])
    expect(await conditionOf('@title = "x"', outside)).toEqual(NOTHING_CONDITION)
  })

  test('of comments covers all comments for administrators of the tracker', async () => {
    const scope = testQueryScope([testTrackerAccess(plots, [1, 2, 3, 4])])
    expect(await conditionOf('@comments != ""', scope)).toEqual({ kind: 'comment', contains: null, readers: null })
  })

  test.each([
    [
      '@title < "x"',
      { reason: 'query_operator', cause: 'operator', position: 7, allowed: ['=', '!='], name: 'summary' },
    ],
    ['@status = "Open"', { reason: 'value_invalid', cause: 'list_value', position: 10, allowed: ['OPEN()'] }],
    ['@status = MYSELF()', { reason: 'query_operator', cause: 'function', position: 10 }],
    ['@status IN (OPEN())', { reason: 'query_operator', cause: 'operator', position: 8 }],
    ['@submitted_by = "nobody"', { reason: 'reference_unknown', cause: 'user', position: 16, name: '@submitted_by' }],
    ['@submitted_by = ""', { reason: 'query_operator', cause: 'empty_string', position: 16 }],
    ['@id IN (1)', { reason: 'query_operator', cause: 'operator', position: 4 }],
    [
      '@titel = "x"',
      { reason: 'query_unknown_key', cause: 'metadata', params: { name: '@titel', did_you_mean: '@title' } },
    ],
    ['@tracker.name = "x"', { reason: 'query_unknown_key', cause: 'metadata', position: 0 }],
    ['@comments > "x"', { reason: 'query_operator', cause: 'operator' }],
  ])('%s is refused', async (text, problem) => {
    expect(await queryProblems(text)).toMatchObject([problem])
  })

  test('is validated even if the tracker lacks it', async () => {
    expect(await queryProblems('@status = "x" OR @assigned_to < 3', testQueryScope([tree]))).toMatchObject([
      { cause: 'list_value' },
      { cause: 'operator' },
    ])
  })
})
