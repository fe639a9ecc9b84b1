import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, RITA, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG_REPORT, BUGS, LEDGER, MARSH_BUGS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'
import { recordedEvents } from '../../../test/harness/recorded-events.ts'
import { toId } from '../../platform/database/ids.ts'

const { api, context } = await startWorld()
const create = (body: unknown, as: TestPerson = OLGA, tracker: number = BUGS, query = '') =>
  api.post(`/trackers/${tracker}/tracker_reports${query}`, { as, body })
const definition = async () => (await api.get(`/trackers/${BUGS}/definition`, { as: MARA })).json

const WHOLE = {
  label: 'Late ones',
  description: 'What I look at in the morning',
  public: false,
  default: false,
  expert_query: null,
  criteria: [
    { field: 'status', value: ['open'] },
    { field: 'due', operator: '<', value: '2026-03-01' },
    { field: 'points' },
  ],
  renderers: [
    {
      type: 'table',
      label: 'Table',
      columns: ['summary', 'due'],
      page_size: 25,
      sort: [{ field: 'due', direction: 'desc' }],
    },
    { type: 'pie', label: 'By state', group_by: { name: 'status' } },
  ],
}

describe('POST /trackers/{id}/tracker_reports', () => {
  test('lets any viewer of the tracker save a report, and returns it in full', async () => {
    const { status, headers, json } = await create(WHOLE)

    expect(status).toBe(201)
    expect(headers.location).toMatch(new RegExp(`/api/tracker_reports/${json.id}$`))
    expect(json).toEqual({
      id: expect.any(Number),
      uri: `tracker_reports/${json.id}`,
      label: 'Late ones',
      is_public: false,
      is_default: false,
      resources: [{ type: 'artifacts', uri: `tracker_reports/${json.id}/artifacts` }],
      renderers: [
        { id: expect.any(Number), type: 'table', label: 'Table' },
        { id: expect.any(Number), type: 'pie', label: 'By state' },
      ],
      view: { query: null, columns: ['summary', 'due'], column_widths: [], grouped_by: null },
      definition: WHOLE,
    })
    const { json: again } = await api.get(`/tracker_reports/${json.id}?representation=full`, { as: OLGA })
    expect(again).toEqual(json)
  })

  test('is private by default', async () => {
    const { json } = await create({ label: 'Mine' })
    expect(json).toMatchObject({ is_public: false, definition: { public: false, criteria: [], renderers: [] } })
  })

  test('keeps private reports out of the log, the feed and the definition', async () => {
    const before = await definition()
    await create({ label: 'Mine' })

    expect(await audited(context, 'tracker.report')).toEqual([])
    expect(await recordedEvents(context, 'tracker.changed')).toEqual([])
    expect(await definition()).toEqual(before)
  })

  test.each([
    ['who administers the tracker', UMA],
    ['who administers the project', MARA],
    ['a site administrator', ADA],
  ])('creates a public report for %s, as a part of the definition', async (_, as) => {
    const { status, json } = await create({ ...WHOLE, public: true }, as)

    expect(status).toBe(201)
    expect(json).toMatchObject({ is_public: true, is_default: false })
    expect((await definition()).reports).toMatchObject([{ label: 'All bugs' }, { ...WHOLE, public: true }])
    expect(await audited(context, 'tracker.report')).toMatchObject([
      {
        actor_id: as.id,
        object: `trackers/${BUGS}`,
        project_id: ORCHARD,
        after: { reports: [{}, { label: 'Late ones' }] },
      },
    ])
    expect(await recordedEvents(context, 'tracker.changed')).toMatchObject([
      { object: `trackers/${BUGS}`, payload: { tracker_id: BUGS, version: 2, changed: ['reports'] } },
    ])
    const { json: seen } = await api.get(`/trackers/${BUGS}/tracker_reports`)
    expect(seen).toMatchObject([{ id: BUG_REPORT }, { id: json.id }])
  })

  test('replaces the previous default', async () => {
    const { json } = await create({ label: 'Better', public: true, default: true }, MARA)
    expect(json.is_default).toBe(true)
    expect((await definition()).reports).toMatchObject([{ default: false }, { label: 'Better', default: true }])
  })

  test('refuses a public report of any other caller', async () => {
    expect(await create({ label: 'Ours', public: true }, TOM)).toMatchObject(
      refused(403, 'permission_denied', { cause: 'not_tracker_admin' }),
    )
    expect((await definition()).reports).toHaveLength(1)
  })

  test.each([
    ['a tracker that is hidden', LEDGER, TOM],
    ['a project that is hidden', BUGS, RITA],
    ['what does not exist', 999_999, MARA],
  ])('does not find %s', async (_, tracker, as) => {
    expect(await create({ label: 'Mine' }, as, tracker)).toMatchObject(refused(404, 'not_found'))
  })

  test('requires authentication', async () => {
    expect(await api.post(`/trackers/${BUGS}/tracker_reports`, { body: { label: 'Mine' } })).toMatchObject(
      refused(401, 'authentication_required'),
    )
  })

  test('refuses changes in an inactive project', async () => {
    expect(await create({ label: 'Mine' }, ADA, MARSH_BUGS)).toMatchObject(
      refused(400, 'rule_violated', { cause: 'project_not_active' }),
    )
  })

  test('writes nothing in a dry run, and reports the planned change', async () => {
    const { status, json } = await create(WHOLE, OLGA, BUGS, '?dry_run=true')

    expect(status).toBe(200)
    expect(json.dry_run).toMatchObject({
      status: 201,
      would_answer: { id: null, label: 'Late ones' },
      changes: [{ object: 'tracker_reports', op: 'create' }],
    })
    expect((await api.get(`/trackers/${BUGS}/tracker_reports`, { as: OLGA })).json).toHaveLength(1)
  })

  test('supports XML', async () => {
    const { status, text } = await api.post(`/trackers/${BUGS}/tracker_reports`, {
      as: OLGA,
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: '<request><label>Mine</label><criteria><item><field>points</field><value>3-5</value></item></criteria></request>',
    })
    expect(status).toBe(201)
    expect(text).toContain('<label>Mine</label><is_public>false</is_public>')
    expect(text).toContain('<field>points</field><value>3-5</value>')
  })

  test('is limited to a thousand', async () => {
    const report = { label: 'x', description: '', is_default: false, expert_query: null, criteria: [], renderers: [] }
    const place = { project_id: ORCHARD, tracker_id: BUGS }
    const parts = await context.db
      .insertInto('tracker_part')
      .values(Array.from({ length: 1000 }, () => ({ ...place, kind: 'report' as const })))
      .returning('id')
      .execute()
    for (const { id } of parts)
      await context.db
        .insertInto('tracker_report')
        .values({ ...place, id: toId(id), owner_id: OLGA.id, report: JSON.stringify(report) })
        .execute()
    expect(await create({ label: 'One more' })).toMatchObject(
      refused(400, 'rule_violated', { cause: 'too_many', allowed: { maximum: 1000 } }),
    )
    expect((await create({ label: 'One more' }, TOM)).status).toBe(201)
  })
})
