import { describe, expect, test } from 'vitest'
import { PRIVATE_CANARY } from '../../../test/fixtures/canaries.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, RITA, TOM, UMA } from '../../../test/fixtures/people.ts'
import {
  BUG_BEGINS,
  BUG_REPORT,
  BUG_TABLE,
  BUGS,
  LEDGER_REPORT,
  LOST_REPORT,
  MARSH_REPORT,
  SAFE_REPORT,
  TOMS_REPORT,
} from '../../../test/fixtures/seed-ids.ts'
import { masked, refused } from '../../../test/harness/refused.ts'

const { api } = await startWorld()
const get = (id: number, as = TOM, query = '') => api.get(`/tracker_reports/${id}${query}`, { as })

const FOUR_KEYS = ['summary', 'status', 'points', 'due'].map((field) => ({ field, direction: 'asc' }))

describe('GET /tracker_reports/{id}', () => {
  test('shows a public report to every viewer of the tracker', async () => {
    const { status, json } = await api.get(`/tracker_reports/${BUG_REPORT}`)
    expect(status).toBe(200)
    expect(json).toEqual({
      id: BUG_REPORT,
      uri: `tracker_reports/${BUG_REPORT}`,
      label: 'All bugs',
      is_public: true,
      is_default: true,
      resources: [{ type: 'artifacts', uri: `tracker_reports/${BUG_REPORT}/artifacts` }],
    })
  })

  test('shows its definition to callers who may change it', async () => {
    const { json } = await get(BUG_REPORT, UMA, '?representation=full')
    expect(json).toMatchObject({
      renderers: [{ id: BUG_TABLE, type: 'table', label: 'Table' }],
      definition: { label: 'All bugs', public: true, default: true },
    })
    const { json: toms } = await get(TOMS_REPORT, TOM, '?representation=full')
    expect(toms.definition).toMatchObject({ label: PRIVATE_CANARY, public: false })
    const { json: others } = await get(BUG_REPORT, TOM, '?representation=full')
    expect(others).toMatchObject({ renderers: [{ id: BUG_TABLE }], definition: null })
  })

  test('shows the table of a shared report to everyone who may see it', async () => {
    const table = {
      type: 'table',
      columns: ['summary', 'status'],
      sort: [{ field: 'summary', direction: 'desc' }],
      column_widths: [{ field: 'status', width: 120 }],
      grouped_by: { field: 'status' },
    }
    const body = { label: 'Open', public: true, expert_query: "summary = 'gate'", renderers: [table] }
    const { json } = await api.post(`/trackers/${BUGS}/tracker_reports`, { as: MARA, body })
    expect((await get(json.id, TOM, '?representation=full')).json).toMatchObject({
      definition: null,
      view: {
        query: "summary = 'gate' ORDER BY summary DESC",
        columns: ['summary', 'status'],
        column_widths: [{ field: 'status', width: 120 }],
        grouped_by: { field: 'status' },
      },
    })
  })

  test.each([
    ['criteria', { criteria: [{ field: 'summary', value: 'gate' }] }],
    ['links', { expert_query: 'WITH PARENT' }],
    ['more sort keys than a query can have', { renderers: [{ type: 'table', sort: FOUR_KEYS }] }],
  ])('has no query in the view of a report with %s', async (_, more) => {
    const body = { label: 'Other', public: true, ...more }
    const { json } = await api.post(`/trackers/${BUGS}/tracker_reports`, { as: MARA, body })
    expect((await get(json.id, TOM, '?representation=full')).json.view.query).toBeNull()
  })

  test('leaves fields out of the view that the viewer may not read', async () => {
    const hidden = 'budget'
    const table = (...columns: string[]) => ({ type: 'table', columns, grouped_by: { field: columns[0] } })
    const make = async (body: object) =>
      (await api.post(`/trackers/${BUGS}/tracker_reports`, { as: MARA, body: { public: true, ...body } })).json.id
    const id = await make({ label: 'Hidden', renderers: [table(hidden, 'summary')] })
    const view = async (report: number) => (await get(report, TOM, '?representation=full')).json.view
    expect(await view(id)).toMatchObject({ query: '', columns: ['summary'], grouped_by: null })
    const asking = await make({ label: 'Asking', expert_query: `${hidden} > 1 OR summary = 'gate'` })
    expect(await view(asking)).toMatchObject({ query: null })
  })

  test.each([
    ['a private one of somebody else', TOMS_REPORT, MARA],
    ['a private one of somebody else, to a site administrator', TOMS_REPORT, ADA],
    ['one of a tracker that is hidden', LEDGER_REPORT, TOM],
    ['one of a project that is hidden', SAFE_REPORT, OLGA],
    ['one of a tracker in the trash', LOST_REPORT, MARA],
    ['one of a suspended project, to a stranger', MARSH_REPORT, OLGA],
    ['one to who may not enter the project', BUG_REPORT, RITA],
    ['what is something else', BUG_BEGINS, MARA],
    ['the id of a table', BUG_TABLE, MARA],
  ])('does not reveal %s', async (_, id, as) => {
    const answer = await get(id, as)
    expect(answer).toMatchObject(refused(404, 'not_found'))
    expect(masked(answer)).toBe(masked(await get(999_999, as)))
  })

  test('asks anonymous callers to sign in', async () => {
    for (const id of [TOMS_REPORT, LEDGER_REPORT, 999_999])
      expect(await api.get(`/tracker_reports/${id}`)).toMatchObject(refused(401, 'authentication_required'))
  })

  test('tells members of a suspended project why it is refused', async () => {
    expect(await get(MARSH_REPORT, TOM)).toMatchObject(refused(404, 'project_suspended'))
    expect((await get(MARSH_REPORT, ADA)).status).toBe(200)
  })

  test('does not reveal the new name of a field to viewers who lost access to it', async () => {
    const widths = [
      { field: 'notes', width: 90 },
      { field: 'summary', width: 200 },
    ]
    const table = {
      type: 'table',
      columns: ['notes', 'summary'],
      column_widths: widths,
      grouped_by: { field: 'notes' },
    }
    const body = { label: 'Notes', expert_query: "notes = 'north' AND summary = 'gate'", renderers: [table] }
    const { json } = await api.post(`/trackers/${BUGS}/tracker_reports`, { as: TOM, body })
    const { json: document } = await api.get(`/trackers/${BUGS}/definition`, { as: MARA })
    const notes = document.elements[0].content.find(({ name }: { name: string }) => name === 'notes')
    Object.assign(notes, { name: 'plans', renamed_from: 'notes' })
    notes.permissions = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
    await api.put(`/trackers/${BUGS}/definition`, { as: MARA, body: document })

    const { json: after } = await get(json.id, TOM, '?representation=full')
    const [shown] = after.definition.renderers
    expect(shown.columns).toEqual([expect.stringMatching(/^@\d+$/), 'summary'])
    expect(shown.column_widths.map(({ field }: { field: string }) => field)).toEqual(shown.columns)
    expect(shown.grouped_by).toEqual({ field: shown.columns[0] })
    expect(after.definition.expert_query).toBe(`${shown.columns[0]} = 'north' AND summary = 'gate'`)
  })

  test('supports XML', async () => {
    const { text } = await get(BUG_REPORT, TOM, '.xml?representation=full')
    expect(text).toContain('<label>All bugs</label><is_public>true</is_public><is_default>true</is_default>')
  })
})
