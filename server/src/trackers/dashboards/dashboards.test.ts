import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { ADA, MARA, OLGA, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import {
  BUG_REPORT,
  BUGS,
  LEDGER_REPORT,
  OPEN_BUG,
  ORCHARD,
  SAFE_REPORT,
  TOMS_REPORT,
  VAULT,
} from '../../../test/fixtures/seed-ids.ts'
import { seedTestArtifacts } from '../../../test/fixtures/seed-artifacts.ts'
import type { RequestOptions } from '../../../test/harness/client.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context } = await startWorld()
beforeEach(() => seedTestArtifacts(context.db))

const OF_PROJECT = `/projects/${ORCHARD}/dashboard`
const OWN = '/users/self/dashboard'
const count = { type: 'count', report_id: BUG_REPORT }
const pin = (path: string, widgets: readonly object[], as = MARA, more: RequestOptions = {}) =>
  api.put(path, { as, body: { widgets }, ...more })
const etagOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['etag'])

describe('a dashboard', () => {
  test('is empty at first, and has the widgets in the order of the last write', async () => {
    const empty = await api.get(OF_PROJECT)
    expect(empty.json).toEqual({ widgets: [] })
    const widgets = [
      { type: 'chart', report_id: BUG_REPORT, title: ' By team ', by: 'team', span: 'quarter' },
      { type: 'chart', report_id: BUG_REPORT },
      count,
      { type: 'report', report_id: BUG_REPORT },
      { type: 'note', text: 'See **all**' },
    ]
    const written = await pin(OF_PROJECT, widgets)
    expect(written.status, written.text).toBe(200)
    const report = { id: BUG_REPORT, label: 'All bugs', tracker: { id: BUGS, project: { id: ORCHARD } } }
    const bare = { title: null, by: null, span: null, text: null, html: null, report_id: BUG_REPORT, report }
    expect(written.json.widgets).toMatchObject([
      { ...bare, type: 'chart', title: 'By team', by: 'team', span: 'quarter' },
      { ...bare, type: 'chart', by: '@status' },
      { ...bare, type: 'count' },
      { ...bare, type: 'report' },
      {
        ...bare,
        type: 'note',
        report_id: null,
        report: null,
        text: 'See **all**',
        html: '<p>See <strong>all</strong></p>',
      },
    ])
    expect((await api.get(OF_PROJECT)).json).toEqual(written.json)
    await pin(OF_PROJECT, [count])
    expect((await api.get(OF_PROJECT)).json.widgets).toHaveLength(1)
  })

  test.each([OF_PROJECT, OWN])('%s is versioned: a stale write is refused and changes nothing', async (path) => {
    const first = await api.get(path, { as: MARA })
    const match = (etag: string) => ({ headers: { 'if-match': etag } })
    const second = await pin(path, [count], MARA, match(etagOf(first)))
    expect(second.status).toBe(200)
    const stale = await pin(path, [], MARA, match(etagOf(first)))
    expect(stale).toMatchObject(refused(412, 'version_mismatch'))
    expect((await api.get(path, { as: MARA })).json.widgets).toHaveLength(1)
    expect(etagOf(await pin(path, [count]))).toBe(etagOf(second)) // The same widgets are no new version.
    expect((await pin(path, [], MARA, match(etagOf(second)))).status).toBe(200)
  })

  test('takes one of two first writes that start from the same version', async () => {
    const headers = { 'if-match': etagOf(await api.get(OF_PROJECT)) }
    const answers = await Promise.all(
      [1, 2, 3].map((each) => pin(OF_PROJECT, [{ ...count, title: `${each}` }], MARA, { headers })),
    )
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '412', '412'])
  })

  test('shows a report only to viewers who may see it, and hidden ones like deleted ones', async () => {
    const mine = await api.post(`/trackers/${BUGS}/tracker_reports`, { as: MARA, body: { label: 'Of Mara' } })
    const ids = [BUG_REPORT, LEDGER_REPORT, mine.json.id]
    const put = await pin(
      OF_PROJECT,
      ids.map((report_id) => ({ type: 'report', report_id })),
    )
    expect(put.status, put.text).toBe(200)
    const shown = async (as?: typeof TOM) =>
      (await api.get(OF_PROJECT, as && { as })).json.widgets.map(
        (each: { report: object | null }) => each.report !== null,
      )
    expect(await shown(MARA)).toEqual([true, true, true])
    expect(await shown(TOM)).toEqual([true, false, false])
    expect(await shown()).toEqual([true, false, false])
    await api.delete(`/tracker_reports/${mine.json.id}`, { as: MARA })
    expect(await shown(MARA)).toEqual([true, true, false])
    await api.delete(`/trackers/${BUGS}`, { as: MARA })
    expect(await shown(MARA)).toEqual([false, true, false])
  })

  test('refuses a report that the writer may not see, but keeps one that is pinned already', async () => {
    for (const report_id of [TOMS_REPORT, SAFE_REPORT, 999_999]) {
      const answer = await pin(OF_PROJECT, [count, { type: 'count', report_id }])
      expect(answer).toMatchObject(refused(400, 'reference_unknown', { path: 'widgets[1].report_id' }))
    }
    await sql`insert into dashboard (project_id, version, widgets) values (${ORCHARD}, 1, ${JSON.stringify([
      { type: 'count', title: null, report_id: TOMS_REPORT, by: null, span: null, text: null },
    ])})`.execute(context.db)
    const kept = await pin(OF_PROJECT, [count, { type: 'count', report_id: TOMS_REPORT }])
    expect(kept.json.widgets).toMatchObject([{ report: { id: BUG_REPORT } }, { report: null, report_id: TOMS_REPORT }])
  })

  test.each([
    [{ type: 'count' }, 'parameter_required', 'widgets[0].report_id'],
    [{ type: 'note' }, 'parameter_required', 'widgets[0].text'],
    [{ type: 'note', text: 'Hi', report_id: BUG_REPORT }, 'parameter_conflict', 'widgets[0].report_id'],
    [{ ...count, text: 'Hi' }, 'parameter_conflict', 'widgets[0].text'],
    [{ ...count, by: 'team' }, 'parameter_conflict', 'widgets[0].by'],
    [{ type: 'note', text: ' ' }, 'parameter_invalid', 'widgets[0].text'],
    [{ type: 'clock' }, 'parameter_not_allowed', 'widgets[0].type'],
  ])('cannot have %j', async (widget, reason, path) => {
    expect(await pin(OF_PROJECT, [widget])).toMatchObject(refused(400, reason, { path }))
  })

  test('has a limited number of widgets', async () => {
    expect(
      (
        await pin(
          OWN,
          Array.from({ length: 25 }, () => count),
        )
      ).status,
    ).toBe(400)
    expect(
      (
        await pin(
          OWN,
          Array.from({ length: 24 }, () => count),
        )
      ).status,
    ).toBe(200)
  })

  test('links references in the texts of a project, by the trackers that the viewer sees', async () => {
    const written = await pin(OF_PROJECT, [{ type: 'note', text: `See bug #${OPEN_BUG} <script>` }])
    expect(written.json.widgets[0].html).toContain(`>bug #${OPEN_BUG}</a> &lt;script&gt;`)
    const own = await pin(OWN, [{ type: 'note', text: `See bug #${OPEN_BUG}` }])
    expect(own.json.widgets[0].html).toBe(`<p>See bug #${OPEN_BUG}</p>`)
  })
})

describe('the dashboard of a project', () => {
  test('is written by its administrators only, and hidden with the project', async () => {
    expect(await pin(OF_PROJECT, [count], TOM)).toMatchObject(refused(403, 'permission_denied'))
    expect(await api.put(OF_PROJECT, { body: { widgets: [] } })).toMatchObject(refused(401, 'authentication_required'))
    await pin(`/projects/${VAULT}/dashboard`, [{ type: 'note', text: 'Gold' }], VICTOR)
    for (const id of [VAULT, 2999]) {
      const path = `/projects/${id}/dashboard`
      expect(await api.get(path, { as: OLGA })).toMatchObject(refused(404, 'not_found'))
      expect(await api.get(path)).toMatchObject(refused(401, 'authentication_required'))
      expect(await pin(path, [], OLGA)).toMatchObject(refused(404, 'not_found'))
    }
  })

  test('leaves an audit row per change, and none if nothing changes or for a dry run', async () => {
    await pin(OF_PROJECT, [count])
    await pin(OF_PROJECT, [count])
    const plan = await pin(`${OF_PROJECT}?dry_run=true`, [])
    expect(plan.json.dry_run.changes).toMatchObject([{ object: `projects/${ORCHARD}/dashboard`, op: 'update' }])
    await pin(OWN, [count])
    const rows = await context.db.selectFrom('audit').selectAll().where('action', '=', 'project.dashboard').execute()
    expect(rows).toMatchObject([
      { project_id: ORCHARD, before: { widgets: [] }, after: { widgets: [{ type: 'count', report_id: BUG_REPORT }] } },
    ])
    expect((await api.get(OF_PROJECT)).json.widgets).toHaveLength(1)
  })
})

describe('the dashboard of an account', () => {
  test('belongs to its owner alone, and is deleted with the account', async () => {
    await pin(OWN, [count], TOM)
    await pin(OWN, [count, count], UMA)
    expect((await api.get(OWN, { as: TOM })).json.widgets).toHaveLength(1)
    expect((await api.get(OWN, { as: ADA })).json.widgets).toEqual([])
    expect(await api.get(OWN)).toMatchObject(refused(401, 'authentication_required'))
    const erased = await api.delete(`/users/${UMA.id}`, { as: ADA, body: { confirm: 'uma' } })
    expect(erased.status, erased.text).toBe(200)
    const left = await context.db.selectFrom('dashboard').select('account_id').execute()
    expect(left).toEqual([{ account_id: TOM.id }])
  })
})

describe('the counts of a report', () => {
  const groups = (query: string, as = TOM) => api.get(`/trackers/${BUGS}/artifacts/groups?by=is_open&${query}`, { as })

  test('are those of the artifacts that it lists to the caller', async () => {
    const body = { label: 'Bug', public: true, expert_query: `@id = ${OPEN_BUG}` }
    const { json: report } = await api.post(`/trackers/${BUGS}/tracker_reports`, { as: MARA, body })
    const counted = await groups(`report=${report.id}`)
    expect(counted.json, counted.text).toMatchObject({ total: 1 })
    const listed = await api.get(`/tracker_reports/${BUG_REPORT}/artifacts?limit=0`, { as: TOM })
    expect((await groups(`report=${BUG_REPORT}`)).json.total).toBe(Number(listed.headers['x-pagination-size']))
    expect((await groups(`report=${report.id}&over=day&from=2026-01-01&to=2026-01-02`)).status).toBe(200)
  })

  test('need a report of this tracker that the caller may see, and no other filter', async () => {
    for (const id of [LEDGER_REPORT, SAFE_REPORT, 999_999])
      expect(await groups(`report=${id}`)).toMatchObject(refused(400, 'reference_unknown', { path: 'report' }))
    expect(await groups(`report=${TOMS_REPORT}`, MARA)).toMatchObject(refused(400, 'reference_unknown'))
    expect((await groups(`report=${TOMS_REPORT}`)).status).toBe(200)
    const both = await groups(`report=${BUG_REPORT}&expert_query=${encodeURIComponent('@id = 1')}`)
    expect(both).toMatchObject(refused(400, 'parameter_conflict', { path: 'report' }))
    expect(await groups(`report=${LEDGER_REPORT}`, MARA)).toMatchObject(refused(400, 'reference_unknown'))
  })
})
