import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/audited.ts'
import { startWorld } from '../../../test/harness.ts'
import { ADA, MARA, OLGA, type Person, TOM, UMA } from '../../../test/people.ts'
import { BUG, BUG_REPORT, BUG_TABLE, BUGS, MARSH_REPORT, TOMS_REPORT } from '../../../test/places.ts'
import { masked, refused, statusesOf } from '../../../test/refused.ts'
import { told } from '../../../test/told.ts'

const { api, context } = await startWorld()
const put = (id: number, body: unknown, as: Person = TOM, query = '') =>
  api.put(`/tracker_reports/${id}${query}`, { as, body })
const full = async (id: number, as: Person = TOM) =>
  (await api.get(`/tracker_reports/${id}?representation=full`, { as })).json
const reports = async () => (await api.get(`/trackers/${BUGS}/definition`, { as: MARA })).json.reports
const patchField = (id: number, body: object) => api.patch(`/tracker_fields/${id}`, { as: MARA, body })

describe('PUT /tracker_reports/{id}', () => {
  test('replaces a private one for its owner, and tells nobody', async () => {
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
    expect(await told(context, 'tracker.changed')).toEqual([])
  })

  test('replaces a public one for who administers the tracker', async () => {
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
    expect(await told(context, 'tracker.changed')).toMatchObject([{ payload: { changed: ['reports'] } }])
  })

  test('writes no version where nothing changes', async () => {
    const { definition } = await full(BUG_REPORT, MARA)
    expect((await put(BUG_REPORT, definition, MARA)).status).toBe(200)
    expect(await told(context, 'tracker.changed')).toEqual([])
  })

  test('is for nobody else', async () => {
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

  test('makes a private one public for who administers the tracker; it keeps its id', async () => {
    const { json } = await api.post(`/trackers/${BUGS}/tracker_reports`, { as: UMA, body: { label: 'Late' } })
    const { status, json: changed } = await put(json.id, { label: 'Late', public: true }, UMA)

    expect(status).toBe(200)
    expect(changed).toMatchObject({ id: json.id, is_public: true })
    expect(await reports()).toMatchObject([{ label: 'All bugs' }, { label: 'Late' }])
    expect((await api.get(`/tracker_reports/${json.id}`)).status).toBe(200)
    expect((await api.get(`/trackers/${BUGS}/tracker_reports`, { as: UMA })).json).toHaveLength(2)
  })

  test('makes a private one public for nobody else', async () => {
    expect(await put(TOMS_REPORT, { label: 'Late', public: true })).toMatchObject(refused(403, 'permission_denied'))
    expect((await full(TOMS_REPORT)).is_public).toBe(false)
  })

  test('makes a public one private: it is then of whoever did it', async () => {
    const { json } = await put(BUG_REPORT, { label: 'Late', public: false }, UMA)

    expect(json).toMatchObject({ id: BUG_REPORT, is_public: false, is_default: false })
    expect(await reports()).toEqual([])
    expect((await full(BUG_REPORT, UMA)).label).toBe('Late')
    expect(await api.get(`/tracker_reports/${BUG_REPORT}`, { as: MARA })).toMatchObject(refused(404, 'not_found'))
  })

  test('says in a dry run what it would change, and changes nothing', async () => {
    const { json } = await put(TOMS_REPORT, { label: 'New' }, TOM, '?dry_run=true')
    expect(json.dry_run.changes).toMatchObject([{ object: `tracker_reports/${TOMS_REPORT}`, op: 'update' }])
    expect((await full(TOMS_REPORT)).label).not.toBe('New')
  })

  test('one of many at once, and of deletions, leaves one or none', async () => {
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

describe('a field that reports ask for', () => {
  test('is renamed in all of them, also in queries', async () => {
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
  ])('stays in use while a public one needs it: %o', async (body) => {
    await put(BUG_REPORT, { label: 'Ours', ...body }, MARA)
    expect(await patchField(BUG.points, { use_it: false })).toMatchObject(
      refused(400, 'rule_violated', {
        cause: 'field_in_use',
        used_by: [{ type: 'report', id: BUG_REPORT, label: 'Ours' }],
      }),
    )
  })

  test('may go whatever private ones need', async () => {
    await put(TOMS_REPORT, { label: 'Mine', criteria: [{ field: 'points', value: 1 }] })
    expect((await patchField(BUG.points, { use_it: false })).status).toBe(200)
    expect((await full(TOMS_REPORT)).definition.criteria).toEqual([{ field: `@${BUG.points}`, value: 1 }])
  })
})

describe('a person who is erased', () => {
  test('takes his own reports with him', async () => {
    await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: TOM.login } })
    const rows = await context.db.selectFrom('tracker_report').select('id').execute()
    expect(rows).toEqual([])
    expect((await api.get(`/tracker_reports/${BUG_REPORT}`, { as: OLGA })).status).toBe(200)
  })
})
