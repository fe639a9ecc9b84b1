import { describe, expect, test } from 'vitest'
import { bindText, conditionOf, queryProblems, expectedTextCondition } from '../../../test/fixtures/plots-and-trees.ts'
import { QUERY_NOW } from '../../../test/fixtures/query-scope.ts'

describe('the past', () => {
  test.each([
    ['"2026-02-01"', '2026-02-01T22:59:59.999Z'],
    ['"2026-02-01 14:30"', '2026-02-01T13:30:00.000Z'],
    ['"2026-02-01T14:30:15.5"', '2026-02-01T13:30:15.500Z'],
    ['"2026-02-01T14:30:15.123Z"', '2026-02-01T14:30:15.123Z'],
    ['NOW() - 1w', '2026-02-22T09:30:15.250Z'],
    ['NOW() - 1m', '2026-02-01T09:30:15.250Z'],
    ['"2025-07-01"', '2025-07-01T21:59:59.999Z'],
  ])('AS OF %s is a moment', async (written, moment) => {
    expect((await bindText(`AS OF ${written}`)).asOf?.toISOString()).toBe(moment)
  })

  test.each(['NOW()', 'NOW() + 1d', '"2026-03-01"', '"2027-01-01"'])('AS OF %s is now', async (written) => {
    expect(QUERY_NOW.toISOString()).toBe('2026-03-01T09:30:15.250Z')
    expect(await bindText(`AS OF ${written}`)).not.toHaveProperty('asOf')
  })

  test.each(['"yesterday"', '""', '"2026-02-30"', 'NOW() - 99999y'])('AS OF %s is not a moment', async (written) => {
    expect(await queryProblems(`AS OF ${written}`)).toMatchObject([
      { reason: 'value_invalid', cause: 'date', position: 6 },
    ])
  })

  test('may use fields that are now unused, if the viewer may read them', async () => {
    expect(await conditionOf('old = "x" AS OF "2026-02-01"')).toEqual(expectedTextCondition('x', 8012))
    expect(await queryProblems('old = "x" AS OF NOW()')).toMatchObject([{ cause: 'field' }])
    expect(await queryProblems('older = "x" AS OF "2026-02-01"')).toMatchObject([{ cause: 'field' }])
    expect(await queryProblems('budget = 1 AS OF "2026-02-01"')).toMatchObject([{ cause: 'field' }])
  })
})
