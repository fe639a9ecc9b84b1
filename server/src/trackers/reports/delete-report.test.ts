import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { BUG_REPORT, BUGS, TOMS_REPORT } from '../../../test/fixtures/seed-ids.ts'
import { masked, refused } from '../../../test/harness/refused.ts'
import { recordedEvents } from '../../../test/harness/recorded-events.ts'

const { api, context } = await startWorld()
const remove = (id: number, as: TestPerson, query = '') => api.delete(`/tracker_reports/${id}${query}`, { as })
const exists = async (id: number, as: TestPerson) => (await api.get(`/tracker_reports/${id}`, { as })).status === 200

describe('DELETE /tracker_reports/{id}', () => {
  test('deletes a private report for its owner', async () => {
    const { status, text } = await remove(TOMS_REPORT, TOM)
    expect([status, text]).toEqual([200, ''])
    expect(await exists(TOMS_REPORT, TOM)).toBe(false)
    expect(await audited(context, 'tracker.report')).toEqual([])
  })

  test('deletes a public report for administrators of the tracker', async () => {
    expect((await remove(BUG_REPORT, UMA)).status).toBe(200)
    expect(await exists(BUG_REPORT, MARA)).toBe(false)
    expect((await api.get(`/trackers/${BUGS}/definition`, { as: MARA })).json.reports).toEqual([])
    expect(await audited(context, 'tracker.report')).toMatchObject([{ actor_id: UMA.id, after: { reports: [] } }])
    expect(await recordedEvents(context, 'tracker.changed')).toMatchObject([{ payload: { changed: ['reports'] } }])
  })

  test('refuses all other callers', async () => {
    expect(await remove(BUG_REPORT, TOM)).toMatchObject(refused(403, 'permission_denied'))
    for (const as of [MARA, ADA]) expect(masked(await remove(TOMS_REPORT, as))).toBe(masked(await remove(999_999, as)))
    expect(await exists(BUG_REPORT, TOM)).toBe(true)
    expect(await exists(TOMS_REPORT, TOM)).toBe(true)
  })

  test('reports the planned deletion in a dry run, and keeps the report', async () => {
    const { json } = await remove(TOMS_REPORT, TOM, '?dry_run=true')
    expect(json.dry_run.changes).toMatchObject([{ object: `tracker_reports/${TOMS_REPORT}`, op: 'delete' }])
    expect(await exists(TOMS_REPORT, TOM)).toBe(true)
  })
})
