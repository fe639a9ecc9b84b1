import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG, BUG_REPORT, BUG_TABLE, BUGS, MARSH_REPORT, TOMS_REPORT } from '../../../test/fixtures/seed-ids.ts'
import { masked, refused, statusesOf } from '../../../test/harness/refused.ts'
import { recordedEvents } from '../../../test/harness/recorded-events.ts'

const { api, context } = await startWorld()
const put = (id: number, body: unknown, as: TestPerson = TOM, query = '') =>
  api.put(`/tracker_reports/${id}${query}`, { as, body })
const full = async (id: number, as: TestPerson = TOM) =>
  (await api.get(`/tracker_reports/${id}?representation=full`, { as })).json
const reports = async () => (await api.get(`/trackers/${BUGS}/definition`, { as: MARA })).json.reports
const patchField = (id: number, body: object) => api.patch(`/tracker_fields/${id}`, { as: MARA, body })

describe('PUT /tracker_reports/{id}', () => {
  test('replaces a private report for its owner, without notifying others', async () => {
    const { status, json } = await put(TOMS_REPORT, { label: 'New', criteria: [{ field: 'points', value: '>3' }] })

    expect(status).toBe(200)
    expect(json).toMatchObject({
      id: TOMS_REPORT,
      label: 'New',
      is_public: false,
      definition: { expert_query: null, criteria: [{ field: 'points', value: '>3' }] },
    })
    expect(await full(TOMS_REPORT)).toEqual(json)
    expect(await audited(context, 'tracker.report')).toEqual([])
    expect(await recordedEvents(context, 'tracker.changed')).toEqual([])
  })

  test('replaces a public report for administrators of the tracker', async () => {
    const renderers = [
      { type: 'table', label: 'Table', columns: ['summary'] },
      { type: 'table', label: 'Another' },
    ]
    const { status, json } = await put(BUG_REPORT, { label: 'Every bug', default: true, renderers }, UMA)

    expect(status).toBe(200)
    expect(json).toMatchObject({ id: BUG_REPORT, label: 'Every bug', is_public: true, is_default: true })
    expect(json.renderers).toEqual([
      { id: BUG_TABLE, type: 'table', label: 'Table' },
      { id: expect.any(Number), type: 'table', label: 'Another' },
    ])
    expect(await reports()).toMatchObject([{ label: 'Every bug', default: true }])
    expect(await audited(context, 'tracker.report')).toMatchObject([
      { actor_id: UMA.id, before: { reports: [{ label: 'All bugs' }] }, after: { reports: [{ label: 'Every bug' }] } },
    ])
    expect(await recordedEvents(context, 'tracker.changed')).toMatchObject([{ payload: { changed: ['reports'] } }])
  })

  test('creates no version if nothing changes', async () => {
    const { definition } = await full(BUG_REPORT, MARA)
    expect((await put(BUG_REPORT, definition, MARA)).status).toBe(200)
    expect(await recordedEvents(context, 'tracker.changed')).toEqual([])
  })

  test('refuses all other callers', async () => {
    expect(await put(BUG_REPORT, { label: 'Mine' }, TOM)).toMatchObject(
      refused(403, 'permission_denied', { cause: 'not_tracker_admin' }),
    )
    for (const as of [MARA, ADA]) {
      const answer = await put(TOMS_REPORT, { label: 'Mine' }, as)
      expect(answer).toMatchObject(refused(404, 'not_found'))
      expect(masked(answer)).toBe(masked(await put(999_999, { label: 'Mine' }, as)))
    }
    expect(await put(MARSH_REPORT, { label: 'Mine' }, ADA)).toMatchObject(
      refused(400, 'rule_violated', { cause: 'project_not_active' }),
    )
  })

  test('makes a private report public for administrators of the tracker, and keeps its id', async () => {
    const { json } = await api.post(`/trackers/${BUGS}/tracker_reports`, { as: UMA, body: { label: 'Late' } })
    const { status, json: changed } = await put(json.id, { label: 'Late', public: true }, UMA)

    expect(status).toBe(200)
    expect(changed).toMatchObject({ id: json.id, is_public: true })
    expect(await reports()).toMatchObject([{ label: 'All bugs' }, { label: 'Late' }])
    expect((await api.get(`/tracker_reports/${json.id}`)).status).toBe(200)
    expect((await api.get(`/trackers/${BUGS}/tracker_reports`, { as: UMA })).json).toHaveLength(2)
  })

  test('refuses to publish a private report for all other callers', async () => {
    expect(await put(TOMS_REPORT, { label: 'Late', public: true })).toMatchObject(refused(403, 'permission_denied'))
    expect((await full(TOMS_REPORT)).is_public).toBe(false)
  })

  test('makes a public report private, owned by the caller', async () => {
    const { json } = await put(BUG_REPORT, { label: 'Late', public: false }, UMA)

    expect(json).toMatchObject({ id: BUG_REPORT, is_public: false, is_default: false })
    expect(await reports()).toEqual([])
    expect((await full(BUG_REPORT, UMA)).label).toBe('Late')
    expect(await api.get(`/tracker_reports/${BUG_REPORT}`, { as: MARA })).toMatchObject(refused(404, 'not_found'))
  })

  test('reports the planned change in a dry run, and changes nothing', async () => {
    const { json } = await put(TOMS_REPORT, { label: 'New' }, TOM, '?dry_run=true')
    expect(json.dry_run.changes).toMatchObject([{ object: `tracker_reports/${TOMS_REPORT}`, op: 'update' }])
    expect((await full(TOMS_REPORT)).label).not.toBe('New')
  })

  test('concurrent updates and deletions leave at most one report', async () => {
    const answers = await Promise.all([
      put(TOMS_REPORT, { label: 'A' }),
      put(TOMS_REPORT, { label: 'B' }),
      api.delete(`/tracker_reports/${TOMS_REPORT}`, { as: TOM }),
      api.delete(`/tracker_reports/${TOMS_REPORT}`, { as: TOM }),
    ])
    expect(statusesOf(answers).every((status) => status === 200 || status === 404)).toBe(true)
    expect((await api.get(`/tracker_reports/${TOMS_REPORT}`, { as: TOM })).status).toBe(404)
  })
})

describe('a field that reports use', () => {
  test('is renamed in all of them, including queries', async () => {
    const query = 'points > 3 AND (summary = "points" OR NOT (points = "")) ORDER BY points'
    await put(TOMS_REPORT, { label: 'Mine', expert_query: query })
    await put(BUG_REPORT, { label: 'Ours', expert_query: query, renderers: [{ type: 'bar', field: 'points' }] }, MARA)
    await patchField(BUG.points, { name: 'effort' })

    const renamed = 'effort > 3 AND (summary = "points" OR NOT (effort = "")) ORDER BY effort'
    expect((await full(TOMS_REPORT)).definition.expert_query).toBe(renamed)
    expect((await full(BUG_REPORT, MARA)).definition).toMatchObject({
      expert_query: renamed,
      renderers: [{ type: 'bar', field: 'effort' }],
    })
  })

  test.each([
    { expert_query: 'points > 3' },
    { criteria: [{ field: 'points', value: 1 }] },
    { renderers: [{ type: 'table', columns: ['points'] }] },
    { renderers: [{ type: 'table', sort: [{ field: 'points', direction: 'asc' }] }] },
  ])('stays in use while a public report uses it: %o', async (body) => {
    await put(BUG_REPORT, { label: 'Ours', ...body }, MARA)
    expect(await patchField(BUG.points, { use_it: false })).toMatchObject(
      refused(400, 'rule_violated', {
        cause: 'field_in_use',
        used_by: [{ type: 'report', id: BUG_REPORT, label: 'Ours' }],
      }),
    )
  })

  test('can be removed even if private reports use it', async () => {
    await put(TOMS_REPORT, { label: 'Mine', criteria: [{ field: 'points', value: 1 }] })
    expect((await patchField(BUG.points, { use_it: false })).status).toBe(200)
    expect((await full(TOMS_REPORT)).definition.criteria).toEqual([{ field: `@${BUG.points}`, value: 1 }])
  })
})

describe('erasing an account', () => {
  test('deletes its private reports', async () => {
    await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: TOM.login } })
    const rows = await context.db.selectFrom('tracker_report').select('id').execute()
    expect(rows).toEqual([])
    expect((await api.get(`/tracker_reports/${BUG_REPORT}`, { as: OLGA })).status).toBe(200)
  })
})
