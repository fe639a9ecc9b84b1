import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/audited.ts'
import { startWorld } from '../../../test/harness.ts'
import { ADA, MARA, type Person, TOM, UMA } from '../../../test/people.ts'
import { BUG_REPORT, BUGS, TOMS_REPORT } from '../../../test/places.ts'
import { masked, refused } from '../../../test/refused.ts'
import { told } from '../../../test/told.ts'

const { api, context } = await startWorld()
const remove = (id: number, as: Person, query = '') => api.delete(`/tracker_reports/${id}${query}`, { as })
const exists = async (id: number, as: Person) => (await api.get(`/tracker_reports/${id}`, { as })).status === 200

describe('DELETE /tracker_reports/{id}', () => {
  test('removes a private one for its owner', async () => {
    const { status, text } = await remove(TOMS_REPORT, TOM)
    expect([status, text]).toEqual([200, ''])
    expect(await exists(TOMS_REPORT, TOM)).toBe(false)
    expect(await audited(context, 'tracker.report')).toEqual([])
  })

  test('removes a public one for who administers the tracker', async () => {
    expect((await remove(BUG_REPORT, UMA)).status).toBe(200)
    expect(await exists(BUG_REPORT, MARA)).toBe(false)
    expect((await api.get(`/trackers/${BUGS}/definition`, { as: MARA })).json.reports).toEqual([])
    expect(await audited(context, 'tracker.report')).toMatchObject([{ actor_id: UMA.id, after: { reports: [] } }])
    expect(await told(context, 'tracker.changed')).toMatchObject([{ payload: { changed: ['reports'] } }])
  })

  test('is for nobody else', async () => {
    expect(await remove(BUG_REPORT, TOM)).toMatchObject(refused(403, 'permission_denied'))
    for (const as of [MARA, ADA]) expect(masked(await remove(TOMS_REPORT, as))).toBe(masked(await remove(999_999, as)))
    expect(await exists(BUG_REPORT, TOM)).toBe(true)
    expect(await exists(TOMS_REPORT, TOM)).toBe(true)
  })

  test('says in a dry run what would go, and leaves it', async () => {
    const { json } = await remove(TOMS_REPORT, TOM, '?dry_run=true')
    expect(json.dry_run.changes).toMatchObject([{ object: `tracker_reports/${TOMS_REPORT}`, op: 'delete' }])
    expect(await exists(TOMS_REPORT, TOM)).toBe(true)
  })
})
