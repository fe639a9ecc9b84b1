import { describe, expect, test } from 'vitest'
import { TOM, UMA } from '../../../test/people.ts'
import { plots, plot, tree, conditionOf, problemsOf, holds, chosen, NOTHING } from '../../../test/plots-and-trees.ts'
import { scopeOf, seenBy } from '../../../test/query-scope.ts'

describe('metadata', () => {
  test.each([
    ['@title = "x"', holds('x', 8001)],
    ['@description != ""', { kind: 'text', field: { id: 8002, member: 'content' }, isThere: true }],
    ['@status = OPEN()', chosen(8003, 8100)],
    ['@status != OPEN()', { kind: 'not', of: chosen(8003, 8100) }],
    ['@assigned_to IN (MYSELF(), "uma")', chosen(8004, TOM.id, UMA.id)],
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
  ])('%s asks for what it stands for', async (text, condition) => {
    expect(await conditionOf(text)).toEqual(condition)
  })

  test('that the tracker has not, or not for the viewer, is never true', async () => {
    const scope = scopeOf([tree])
    expect(await conditionOf('@status != OPEN()', scope)).toEqual(NOTHING)
    expect(await conditionOf('@assigned_to = "nobody knows" OR name = "x"', scope)).toEqual(holds('x', 8300))
    const outside = scopeOf([{ ...plot, readable: plot.readable.filter(({ name }) => name !== 'summary') }])
    expect(await conditionOf('@title = "x"', outside)).toEqual(NOTHING)
  })

  test('of comments is all of them for whoever administers the tracker', async () => {
    const scope = scopeOf([seenBy(plots, [1, 2, 3, 4])])
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
    expect(await problemsOf(text)).toMatchObject([problem])
  })

  test('is checked even where the tracker has nothing of it', async () => {
    expect(await problemsOf('@status = "x" OR @assigned_to < 3', scopeOf([tree]))).toMatchObject([
      { cause: 'list_value' },
      { cause: 'operator' },
    ])
  })
})
