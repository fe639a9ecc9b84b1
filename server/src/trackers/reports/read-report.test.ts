import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, TOM } from '../../../test/fixtures/people.ts'
import { BUGS } from '../../../test/fixtures/seed-ids.ts'

const { api } = await startWorld({ seedOnce: true })
const rehearse = (body: object, as = OLGA) =>
  api.post(`/trackers/${BUGS}/tracker_reports?dry_run=true`, { as, body: { label: 'Mine', ...body } })
const table = (members: object) => ({ renderers: [{ type: 'table', ...members }] })

describe('a report', () => {
  test.each<[string, object, string, string, object?]>([
    ['an empty label', { label: ' ' }, 'label', 'parameter_required'],
    ['an unknown member', { mood: 1 }, 'mood', 'member_unknown'],
    ['an unknown member of a table', table({ page_sise: 5 }), 'renderers[0].page_sise', 'member_unknown'],
    ['criteria on nothing', { criteria: [{ field: 'nothing', value: 1 }] }, 'criteria[0].field', 'reference_unknown'],
    [
      'criteria on a container',
      { criteria: [{ field: 'main', value: 1 }] },
      'criteria[0].field',
      'parameter_not_allowed',
    ],
    [
      'criteria on what is not used',
      { criteria: [{ field: 'old', value: 1 }] },
      'criteria[0].field',
      'reference_unknown',
    ],
    [
      'criteria on one field twice',
      {
        criteria: [
          { field: 'points', value: 1 },
          { field: 'points', value: 2 },
        ],
      },
      'criteria[1].field',
      'duplicate_entry',
    ],
    [
      'an operator that the field has not',
      { criteria: [{ field: 'status', operator: '>', value: 1 }] },
      'criteria[0].operator',
      'query_operator',
      { cause: 'operator', allowed: ['contains'] },
    ],
    [
      'an operator without a value',
      { criteria: [{ field: 'points', operator: 'contains' }] },
      'criteria[0]',
      'query_malformed',
      { cause: 'criterion' },
    ],
    ['columns of nothing', table({ columns: ['summary', 'nothing'] }), 'renderers[0].columns[1]', 'reference_unknown'],
    [
      'a width of nothing',
      table({ column_widths: [{ field: 'nothing', width: 90 }] }),
      'renderers[0].column_widths[0].field',
      'reference_unknown',
    ],
    [
      'groups by nothing',
      table({ grouped_by: { field: 'nothing' } }),
      'renderers[0].grouped_by.field',
      'reference_unknown',
    ],
    [
      'an order by nothing',
      table({ sort: [{ field: 'nothing', direction: 'asc' }] }),
      'renderers[0].sort[0].field',
      'reference_unknown',
    ],
    [
      'an order by what has none',
      table({ sort: [{ field: 'assigned_to', direction: 'asc' }] }),
      'renderers[0].sort[0].field',
      'parameter_not_allowed',
    ],
    [
      'a query that cannot be read',
      { expert_query: 'summary = ' },
      'expert_query',
      'query_malformed',
      { cause: 'syntax', position: 10 },
    ],
    ['a query of nothing', { expert_query: 'nothing = 1' }, 'expert_query', 'reference_unknown'],
    [
      'an order of a query by nothing',
      { expert_query: 'points > 1 ORDER BY nothing' },
      'expert_query',
      'reference_unknown',
    ],
    [
      'a query over many trackers',
      { expert_query: 'SELECT @id FROM @project = "self" WHERE @id = 1' },
      'expert_query',
      'query_malformed',
      { cause: 'select_not_supported' },
    ],
    ['a plan', { expert_query: 'EXPLAIN points = 1' }, 'expert_query', 'query_malformed'],
    [
      'both a query and criteria',
      { expert_query: 'points = 1', criteria: [{ field: 'points', value: 1 }] },
      'expert_query',
      'parameter_conflict',
      { cause: 'criteria_and_query' },
    ],
    ['the default of nobody', { default: true }, 'default', 'parameter_conflict'],
  ])('is refused with %s', async (_, body, path, reason, details = {}) => {
    const { status, json } = await rehearse(body)
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason, details: { path, ...details } })
  })

  test('reports every problem', async () => {
    const { json } = await rehearse({ criteria: [{ field: 'a' }, { field: 'b' }] })
    expect(json.error.details.all).toMatchObject([{ path: 'criteria[0].field' }, { path: 'criteria[1].field' }])
  })

  test('may use unused fields in a query about the past', async () => {
    expect((await rehearse({ expert_query: 'old = "x" AS OF "2026-01-01"' })).status).toBe(200)
  })

  test('may use other fields behind a link', async () => {
    expect((await rehearse({ expert_query: 'WITH CHILDREN WHERE (somewhere = "x") AND points = 1' })).status).toBe(200)
  })

  test('of one account treats fields that the owner may not read as unknown', async () => {
    const hidden = await rehearse({ criteria: [{ field: 'budget', value: 1 }] }, TOM)
    const absent = await rehearse({ criteria: [{ field: 'buzzet', value: 1 }] }, TOM)
    expect(hidden.json.error).toMatchObject({ reason: 'reference_unknown', details: { path: 'criteria[0].field' } })
    expect({ ...hidden.json.error, request_id: '' }).toEqual({ ...absent.json.error, request_id: '' })
    expect((await rehearse({ criteria: [{ field: 'budget', value: 1 }] }, MARA)).status).toBe(200)
    expect((await rehearse({ ...table({ columns: ['budget'] }), public: true }, MARA)).status).toBe(200)
  })
})
