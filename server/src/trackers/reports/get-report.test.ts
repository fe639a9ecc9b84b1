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
    const body = { label: 'Notes', renderers: [{ type: 'table', columns: ['notes', 'summary'] }] }
    const { json } = await api.post(`/trackers/${BUGS}/tracker_reports`, { as: TOM, body })
    const { json: document } = await api.get(`/trackers/${BUGS}/definition`, { as: MARA })
    const notes = document.elements[0].content.find(({ name }: { name: string }) => name === 'notes')
    Object.assign(notes, { name: 'plans', renamed_from: 'notes' })
    notes.permissions = { read: ['@admins'], submit: ['@admins'], update: ['@admins'] }
    await api.put(`/trackers/${BUGS}/definition`, { as: MARA, body: document })

    const { json: after } = await get(json.id, TOM, '?representation=full')
    expect(after.definition.renderers[0].columns).toEqual([expect.stringMatching(/^@\d+$/), 'summary'])
  })

  test('supports XML', async () => {
    const { text } = await get(BUG_REPORT, TOM, '.xml?representation=full')
    expect(text).toContain('<label>All bugs</label><is_public>true</is_public><is_default>true</is_default>')
  })
})
