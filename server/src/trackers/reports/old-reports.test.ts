import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { MARA, TOM } from '../../../test/fixtures/people.ts'
import { BUG, BUGS } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()
const MIGRATION = new URL('../../../migrations/0010-trackers-reports.sql', import.meta.url)

/** The former stored form: the literal text of the definition. */
const OLD = [
  {
    label: 'Open ones',
    public: true,
    default: true,
    criteria: [
      { field: 'status', value: ['open'], shown: true },
      { field: 'gone', value: 1 },
    ],
    renderers: [
      {
        type: 'table',
        columns: ['summary', 'gone', 'status'],
        sort: [
          { field: 'gone', direction: 'asc' },
          { field: 'points', direction: 'desc' },
        ],
      },
      { type: 'pie', label: 'Pie', group_by: 'status' },
    ],
  },
  { label: 'By query', default: true, expert_query: 'points > 3' },
  { label: 'Only mine', public: false, expert_query: ' ' },
]

test('reports of old trackers get ids, and refer to their fields by id', async () => {
  await withOldReports()
  await runDataPart()
  const { json: listed } = await api.get(`/trackers/${BUGS}/tracker_reports`, { as: MARA })
  const { json: definition } = await api.get(`/trackers/${BUGS}/definition`, { as: MARA })

  expect(listed).toMatchObject([
    { label: 'Open ones', is_public: true, is_default: true },
    { label: 'By query', is_public: true, is_default: false },
    { label: 'Only mine', is_public: false, is_default: false },
  ])
  expect(new Set(listed.map(({ id }: { id: number }) => id)).size).toBe(3)
  expect(definition.reports).toEqual([
    {
      label: 'Open ones',
      description: '',
      public: true,
      default: true,
      expert_query: null,
      criteria: [{ field: 'status', value: ['open'] }],
      renderers: [
        {
          type: 'table',
          label: '',
          columns: ['summary', 'status'],
          page_size: 50,
          sort: [{ field: 'points', direction: 'desc' }],
        },
        { type: 'pie', label: 'Pie', group_by: 'status' },
      ],
    },
    {
      label: 'By query',
      description: '',
      public: true,
      default: false,
      expert_query: 'points > 3',
      criteria: [],
      renderers: [],
    },
  ])
  for (const { id } of listed)
    expect((await api.get(`/tracker_reports/${id}/artifacts`, { as: MARA })).status).toBe(200)
  expect((await api.put(`/trackers/${BUGS}/definition`, { as: MARA, body: definition })).json).toEqual(definition)
  expect((await api.patch(`/tracker_fields/${BUG.points}`, { as: MARA, body: { use_it: false } })).status).toBe(400)
  // Only the creator of the tracker owns it.
  expect((await api.get(`/tracker_reports/${listed[2].id}`, { as: TOM })).status).toBe(404)
})

async function withOldReports(): Promise<void> {
  const { structure } = await context.db
    .selectFrom('tracker')
    .select('structure')
    .where('id', '=', BUGS)
    .executeTakeFirstOrThrow()
  await context.db
    .updateTable('tracker')
    .set({ structure: JSON.stringify({ ...structure, reports: OLD }) })
    .where('id', '=', BUGS)
    .execute()
  // The other trackers are already migrated.
  await context.db
    .updateTable('tracker')
    .set((row) => ({ structure: row.fn('jsonb_set', ['structure', row.val('{reports}'), row.val('[]')]) }))
    .where('id', '<>', BUGS)
    .execute()
}

/** The tables exist; run only the data part of the migration, as in an upgrade. */
async function runDataPart(): Promise<void> {
  const text = readFileSync(MIGRATION, 'utf8')
  const client = new Client({ connectionString: context.config.WAYPOST_DATABASE_URL })
  await client.connect()
  await client.query(text.slice(text.indexOf('do $$')))
  await client.end()
}
