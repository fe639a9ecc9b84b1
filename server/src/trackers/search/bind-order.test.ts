import { describe, expect, test } from 'vitest'
import { tree, bindText, queryProblems } from '../../../test/fixtures/plots-and-trees.ts'
import { testQueryScope } from '../../../test/fixtures/query-scope.ts'

describe('the sort order', () => {
  const sortOf = async (keys: string) => (await bindText(`ORDER BY ${keys}`)).sort.map(({ by }) => by)

  test('uses fields and metadata', async () => {
    expect(await sortOf('summary, status, due')).toEqual([
      { kind: 'text', field: { id: 8001 } },
      { kind: 'place', field: 8003, ids: [8100, 8101, 8102] },
      { kind: 'number', field: 8006, unit: 'day' },
    ])
    expect(await sortOf('@title, @status, @id')).toEqual([
      { kind: 'text', field: { id: 8001 } },
      { kind: 'place', field: 8003, ids: [8100, 8101, 8102] },
      { kind: 'fact', fact: 'id' },
    ])
    expect(await sortOf('@submitted_by, @submitted_on, @last_update_date')).toEqual([
      { kind: 'login', fact: 'submitted_by' },
      { kind: 'fact', fact: 'submitted_on' },
      { kind: 'fact', fact: 'last_modified_date' },
    ])
  })

  test('ignores metadata that the tracker lacks', async () => {
    expect((await bindText('ORDER BY @status, name DESC', testQueryScope([tree]))).sort).toEqual([
      { by: { kind: 'text', field: { id: 8300 } }, or: [], isDescending: true },
    ])
  })

  test.each([
    ['team', { reason: 'query_operator', cause: 'field_type', name: 'team' }],
    ['@assigned_to', { reason: 'query_operator', cause: 'field_type', name: 'team' }],
    ['sum', { reason: 'query_operator', cause: 'field_type' }],
    ['budget', { reason: 'query_unknown_key', cause: 'field' }],
    ['nowhere', { reason: 'query_unknown_key', cause: 'field' }],
    ['@comments', { reason: 'query_unknown_key', cause: 'metadata' }],
    ['@nothing', { reason: 'query_unknown_key', cause: 'metadata' }],
  ])('refuses %s', async (key, problem) => {
    expect(await queryProblems(`ORDER BY ${key}`)).toMatchObject([{ ...problem, position: 9 }])
  })
})
