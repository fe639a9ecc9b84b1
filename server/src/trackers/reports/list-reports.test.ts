import { describe, expect, test } from 'vitest'
import { PRIVATE_CANARY } from '../../../test/fixtures/canaries.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, RITA, TOM } from '../../../test/fixtures/people.ts'
import { BUG_REPORT, BUGS, LEDGER, LOST_BUGS, TOMS_REPORT } from '../../../test/fixtures/seed-ids.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api } = await startWorld()
const list = (as?: TestPerson, query = '') => api.get(`/trackers/${BUGS}/tracker_reports${query}`, as ? { as } : {})
const save = async (label: string, as: TestPerson, more = {}) =>
  (await api.post(`/trackers/${BUGS}/tracker_reports`, { as, body: { label, ...more } })).json.id
const labels = ({ json }: { json: { label: string }[] }) => json.map(({ label }) => label)

describe('GET /trackers/{id}/tracker_reports', () => {
  test("lists public reports, then the caller's own", async () => {
    await save('Late', TOM)
    await save('Ours', MARA, { public: true })
    const { status, headers, json } = await list(TOM)

    expect(status).toBe(200)
    expect(json.slice(0, 3)).toEqual([
      {
        id: BUG_REPORT,
        uri: `tracker_reports/${BUG_REPORT}`,
        label: 'All bugs',
        is_public: true,
        is_default: true,
        resources: [{ type: 'artifacts', uri: `tracker_reports/${BUG_REPORT}/artifacts` }],
      },
      expect.objectContaining({ label: 'Ours', is_public: true, is_default: false }),
      expect.objectContaining({ id: TOMS_REPORT, label: PRIVATE_CANARY, is_public: false }),
    ])
    expect(json[3]).toMatchObject({ label: 'Late', is_public: false })
    expect(headers).toMatchObject({
      'x-pagination-limit': '10',
      'x-pagination-offset': '0',
      'x-pagination-size': '4',
      'x-pagination-limit-max': '1000',
    })
  })

  test.each([
    ['nobody', undefined],
    ['Olga', OLGA],
    ['Mara, who administers the project', MARA],
    ['Ada, who administers the platform', ADA],
  ])('hides private reports of others: %s', async (_, as) => {
    await save('Mine', OLGA)
    const answer = await list(as)
    expect(labels(answer)).toEqual(as === OLGA ? ['All bugs', 'Mine'] : ['All bugs'])
    expect(answer.headers['x-pagination-size']).toBe(as === OLGA ? '2' : '1')
  })

  test('supports pagination, even if reports are deleted meanwhile', async () => {
    const ids = []
    for (const label of ['A', 'B', 'C', 'D']) ids.push(await save(label, OLGA))
    const first = await list(OLGA, '?limit=2')
    await api.delete(`/tracker_reports/${ids[0]}`, { as: OLGA })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await api.get(next, { as: OLGA })

    expect(labels(first)).toEqual(['All bugs', 'A'])
    expect(second.headers['x-pagination-size']).toBe('4')
    expect(labels(second)).toEqual(['B', 'C'])
    expect(labels(await list(OLGA, '?limit=1&offset=2'))).toEqual(['C'])
    expect(labels(await list(OLGA, '?limit=0'))).toEqual([])
    expect(labels(await list(OLGA, '?offset=50'))).toEqual([])
  })

  test('refuses a page size above the limit', async () => {
    expect(await list(OLGA, '?limit=1001')).toMatchObject(refused(400, 'parameter_out_of_range'))
  })

  test.each([
    ['hidden', LEDGER, TOM],
    ['of a project that is hidden', BUGS, RITA],
    ['in the trash', LOST_BUGS, MARA],
    ['absent', 999_999, MARA],
  ])('does not find a tracker that is %s', async (_, tracker, as) => {
    expect(await api.get(`/trackers/${tracker}/tracker_reports`, { as })).toMatchObject(refused(404, 'not_found'))
  })

  test('is linked from the tracker, and supports XML', async () => {
    const { json } = await api.get(`/trackers/${BUGS}`)
    const [{ type, uri }] = json.resources
    expect(type).toBe('reports')
    const { status, text } = await api.get(`/${uri}.xml`)
    expect(status).toBe(200)
    expect(text).toContain(
      `<item><id>${BUG_REPORT}</id><uri>tracker_reports/${BUG_REPORT}</uri><label>All bugs</label>`,
    )
  })
})
