import { describe, expect, test } from 'vitest'
import {
  BOTH_TRACKERS_SCOPE,
  bindText,
  conditionOf,
  queryProblems,
  expectedTextCondition,
  expectedChosenCondition,
  NOTHING_CONDITION,
  EVERYTHING_CONDITION,
} from '../../../test/fixtures/plots-and-trees.ts'

describe('a query of several trackers', () => {
  const inPlots = (condition: object) => ({ kind: 'all', of: [{ kind: 'tracker', ids: [7901] }, condition] })
  const inTrees = (condition: object) => ({ kind: 'all', of: [{ kind: 'tracker', ids: [7902] }, condition] })

  test.each([
    ['summary = "x"', inPlots(expectedTextCondition('x', 8001))],
    [
      '@title = "x"',
      { kind: 'any', of: [inPlots(expectedTextCondition('x', 8001)), inTrees(expectedTextCondition('x', 8300))] },
    ],
    ['@status = OPEN()', inPlots(expectedChosenCondition(8003, 8100))],
    ['status = "Ripe"', inTrees(expectedChosenCondition(8301, 8401))],
    [
      'status != "Ripe"',
      {
        kind: 'any',
        of: [{ kind: 'tracker', ids: [7901] }, inTrees({ kind: 'not', of: expectedChosenCondition(8301, 8401) })],
      },
    ],
    [
      'NOT (summary = "x")',
      {
        kind: 'any',
        of: [inPlots({ kind: 'not', of: expectedTextCondition('x', 8001) }), { kind: 'tracker', ids: [7902] }],
      },
    ],
    ['summary = "x" AND name = "y"', NOTHING_CONDITION],
    ['@id = 5', { kind: 'fact', fact: 'id', from: 5, to: 5 }],
    ['WITH PARENT', { kind: 'link', direction: 'reverse', type: '_is_child' }],
    ['', EVERYTHING_CONDITION],
    [
      'due > "2026-03-01 10:00"',
      inTrees({ kind: 'number', field: 8302, unit: 'second', from: Date.parse('2026-03-01T09:01:00Z') / 1000 }),
    ],
  ])('%s resolves names in each tracker', async (text, condition) => {
    expect(await conditionOf(text, BOTH_TRACKERS_SCOPE)).toEqual(condition)
  })

  test('sorts by the field of that name in each tracker', async () => {
    expect((await bindText('ORDER BY points DESC, @title, @id', BOTH_TRACKERS_SCOPE)).sort).toEqual([
      {
        by: { kind: 'number', field: 8005, unit: 'number' },
        or: [{ kind: 'number', field: 8303, unit: 'number' }],
        isDescending: true,
      },
      { by: { kind: 'text', field: { id: 8001 } }, or: [{ kind: 'text', field: { id: 8300 } }], isDescending: false },
      { by: { kind: 'fact', fact: 'id' }, or: [], isDescending: false },
    ])
  })

  test.each([
    ['nowhere = 1', { cause: 'field' }],
    ['budget = 1', { cause: 'field' }],
    ['status = "Fresh"', { reason: 'reference_unknown', cause: 'list_value', position: 9 }],
    ['status = "Rip"', { params: { did_you_mean: 'Ripe' } }],
    ['team = "uma"', { reason: 'query_operator', cause: 'field_type', position: 0 }],
    ['number = 1', { reason: 'query_operator', cause: 'field_type', params: { did_you_mean: '@id' } }],
    ['made > NOW()', { reason: 'query_operator', cause: 'field_type', params: { did_you_mean: '@submitted_on' } }],
    ['@id = 1 ORDER BY team', { reason: 'query_operator', cause: 'field_type', position: 17 }],
  ])('%s is refused', async (text, problem) => {
    expect(await queryProblems(text, BOTH_TRACKERS_SCOPE)).toMatchObject([problem])
  })
})
