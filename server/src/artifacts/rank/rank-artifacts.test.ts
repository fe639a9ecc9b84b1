import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { OPEN_BUG, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { recordedEvents } from '../../../test/harness/recorded-events.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { changedTables, tableDigests } from '../../../test/harness/table-digests.ts'

const { api, context } = await startWorld()
const { db } = context
const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
const PLUMS = {
  label: 'Plums',
  item_name: 'plum',
  permissions: { full: ['@anonymous'] },
  elements: [field('summary', 'string'), field('priority', 'priority'), field('readers', 'perm')],
  semantics: { title: 'summary' },
}
let plums: MadeTracker
let ids: number[]

beforeEach(async () => {
  plums = await makeTestTracker(api, PLUMS)
  ids = await makeMany(plums, 5)
})

async function makeMany(tracker: MadeTracker, count: number): Promise<number[]> {
  const made: number[] = []
  for (let at = 0; at < count; at++) made.push(await makeTestArtifact(api, tracker, { summary: `Plum ${at}` }))
  return made
}
const pick = (...places: number[]) => places.map((at) => ids[at] ?? 0)
const rank = (
  body: object,
  as: TestPerson | undefined = TOM,
  more: { query?: string; headers?: Record<string, string> } = {},
) => api.put(`/trackers/${plums.id}/rank${more.query ?? ''}`, { ...(as && { as }), body, ...more })
const ordered = async (query = 'order_by=rank&limit=1000', as = MARA): Promise<number[]> => {
  const { json } = await api.get(`/trackers/${plums.id}/artifacts?${query}`, { as })
  return json.map(({ id }: { id: number }) => id)
}

describe('PUT /trackers/{id}/rank', () => {
  test('moves artifacts before or after another one, in their given order', async () => {
    expect(await ordered()).toEqual(ids)
    const { status, json, headers } = await rank({ ids: pick(4, 2), before: ids[0] })
    expect({ status, json }).toEqual({ status: 200, json: { rank_version: 1 } })
    expect(await ordered()).toEqual(pick(4, 2, 0, 1, 3))
    expect(headers.etag).toBe((await api.get(`/trackers/${plums.id}/rank`, { as: TOM })).headers.etag)
    expect((await rank({ ids: pick(0, 4), after: ids[3] })).json).toEqual({ rank_version: 2 })
    expect(await ordered()).toEqual(pick(2, 1, 3, 0, 4))
    const [late = 0] = await makeMany(plums, 1)
    expect(await ordered()).toEqual([...pick(2, 1, 3, 0, 4), late])
    expect(await ordered('order_by=rank&order=desc')).toEqual([late, ...pick(4, 0, 3, 1, 2)])
    expect(await ordered(`expert_query=${encodeURIComponent('@id > 0 ORDER BY @rank DESC')}`)).toEqual([
      late,
      ...pick(4, 0, 3, 1, 2),
    ])
    expect((await api.get(`/trackers/${plums.id}`, { as: OLGA })).json.rank_version).toBe(2)
  })

  test('pages by rank with a cursor', async () => {
    await rank({ ids: pick(4), before: ids[0] })
    const first = await api.get(`/trackers/${plums.id}/artifacts?order_by=rank&limit=2`, { as: TOM })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers['link']))?.[1] ?? ''
    const second = await api.get(next.replace('https://waypost.example/api', ''), { as: TOM })
    expect(second.json.map(({ id }: { id: number }) => id)).toEqual(pick(1, 2))
  })

  test('leaves the versions of artifacts and their writers alone, and publishes artifact.ranked', async () => {
    const read = await api.get(`/artifacts/${ids[4]}`, { as: TOM })
    await rank({ ids: pick(4, 3), before: ids[0] })
    const values = [{ field_id: plums.field('summary'), value: 'Pear' }]
    const ifMatch = { 'if-match': String(read.headers['etag']) }
    expect((await api.put(`/artifacts/${ids[4]}`, { as: TOM, headers: ifMatch, body: { values } })).status).toBe(200)
    expect((await api.get(`/artifacts/${ids[4]}`, { as: TOM })).json.version ?? 2).toBe(2)
    expect(await recordedEvents(context, 'artifact.ranked')).toMatchObject(
      pick(4, 3).map((id) => ({ object: `artifacts/${id}`, project_id: ORCHARD, actor_id: TOM.id })),
    )
    const { json } = await api.get('/events?types=artifact.ranked', { as: OLGA })
    expect(json.events.map(({ object }: { object: string }) => object)).toEqual(
      pick(4, 3).map((id) => `artifacts/${id}`),
    )
    expect((await api.get(`/artifacts/${ids[4]}/changesets`, { as: TOM })).json).toHaveLength(2)
    expect((await api.get(`/artifacts/${ids[3]}/rank_changes`, { as: TOM })).json).toEqual([])
  })

  test('changes nothing if they stand there already', async () => {
    expect((await rank({ ids: pick(1, 2), before: ids[3] })).json).toEqual({ rank_version: 0 })
    expect((await rank({ ids: pick(1, 2), after: ids[0] })).json).toEqual({ rank_version: 0 })
    expect(await recordedEvents(context, 'artifact.ranked')).toEqual([])
  })

  test('compares If-Match with the version of the order', async () => {
    const { headers, json } = await api.get(`/trackers/${plums.id}/rank`, { as: TOM })
    expect(json).toEqual({ rank_version: 0 })
    const given = (tag: unknown) => ({ headers: { 'if-match': String(tag) } })
    expect((await rank({ ids: pick(4), before: ids[0] }, TOM, given(headers['etag']))).status).toBe(200)
    for (const stale of [headers['etag'], '"0"', '"x"'])
      expect(await rank({ ids: pick(3), before: ids[0] }, TOM, given(stale))).toMatchObject(
        refused(412, 'version_mismatch'),
      )
    for (const current of ['"1"', '*']) {
      expect((await rank({ ids: pick(3), before: ids[0] }, TOM, given(current))).status).toBe(200)
      await sql`update tracker_rank set version = 1`.execute(db)
    }
  })

  test('as a dry run reports the move and writes nothing', async () => {
    await rank({ ids: pick(4), before: ids[0] })
    const before = await tableDigests(db)
    const { json } = await rank({ ids: pick(3), before: ids[0] }, TOM, { query: '?dry_run=true' })
    expect(json.dry_run.changes).toMatchObject([{ object: `trackers/${plums.id}/rank`, op: 'update' }])
    expect(changedTables(before, await tableDigests(db))).toEqual([])
  })

  test('refuses unknown, hidden and repeated artifacts', async () => {
    const readers = { value: { granted_groups: [`${ORCHARD}_4`], is_used_by_default: true } }
    const secret = await makeTestArtifact(api, plums, { summary: 'Secret', readers })
    expect((await api.get(`/artifacts/${secret}`, { as: TOM })).status).toBe(404)
    const unknown = (path: string) => refused(400, 'reference_unknown', { path })
    for (const id of [secret, 999_999, OPEN_BUG]) {
      expect(await rank({ ids: [ids[1], id], before: ids[0] })).toMatchObject(unknown('ids[1]'))
      expect(await rank({ ids: pick(1), after: id })).toMatchObject(unknown('after'))
    }
    expect((await rank({ ids: [secret], before: ids[0] }, MARA)).status).toBe(200)
    expect(await ordered(undefined, TOM)).toEqual(ids)
    expect(await rank({ ids: pick(1, 1), before: ids[0] })).toMatchObject(refused(400, 'duplicate_entry'))
    expect(await rank({ ids: pick(1, 0), before: ids[0] })).toMatchObject(refused(400, 'parameter_conflict'))
    expect(await rank({ ids: pick(1) })).toMatchObject(refused(400, 'parameter_required'))
    expect(await rank({ ids: pick(1), before: ids[0], after: ids[2] })).toMatchObject(
      refused(400, 'parameter_conflict'),
    )
    const many = Array.from({ length: 501 }, (_, at) => at + 1)
    for (const wrong of [[], many])
      expect(await rank({ ids: wrong, before: 999 })).toMatchObject(refused(400, 'parameter_out_of_range'))
  })

  test('needs the right to change artifacts of the tracker', async () => {
    const move = { ids: pick(4), before: ids[0] }
    expect(await rank(move, OLGA)).toMatchObject(refused(403, 'permission_denied'))
    expect(await api.put(`/trackers/${plums.id}/rank`, { body: move })).toMatchObject(
      refused(401, 'authentication_required'),
    )
    expect((await rank(move, ADA)).status).toBe(200)
    const hidden = await makeTestTracker(api, { ...PLUMS, item_name: 'hidden', permissions: { full: ['@admins'] } })
    for (const as of [TOM, OLGA])
      expect(await api.put(`/trackers/${hidden.id}/rank`, { as, body: move })).toMatchObject(refused(404, 'not_found'))
    expect((await api.get(`/trackers/${hidden.id}/rank`, { as: TOM })).status).toBe(404)
  })

  test('spreads ranks when a gap is used up, also where ranks are equal', async () => {
    for (let turn = 0; turn < 60; turn++)
      expect((await rank({ ids: pick(turn % 2 ? 3 : 4), after: ids[0] })).status).toBe(200)
    expect(await ordered()).toEqual(pick(0, 3, 4, 1, 2))
    await sql`update artifact set rank = 7 where tracker_id = ${plums.id}`.execute(db)
    expect((await rank({ ids: pick(4), after: ids[0] })).status).toBe(200)
    expect(await ordered()).toEqual(pick(0, 4, 1, 2, 3))
  })

  test('a moved or copied artifact comes last in its tracker, a restored one returns to its place', async () => {
    const pears = await makeTestTracker(api, { ...PLUMS, item_name: 'pear' })
    const [pear = 0] = await makeMany(pears, 1)
    await makeMany(plums, 1)
    const before = await ordered()
    await api.patch(`/artifacts/${pear}`, { as: MARA, body: { move: { tracker_id: plums.id } } })
    expect(await ordered()).toEqual([...before, pear])
    await api.delete(`/artifacts/${ids[1]}`, { as: MARA })
    await rank({ ids: pick(4), before: ids[2] })
    await api.post(`/artifacts/${ids[1]}/restore`, { as: MARA })
    expect((await ordered()).slice(0, 5)).toEqual(pick(0, 1, 4, 2, 3))
  })
})

describe('GET /artifacts/{id}/rank_changes', () => {
  test('lists the moves in a tracker that records them, without artifacts that the caller may not see', async () => {
    plums = await makeTestTracker(api, { ...PLUMS, item_name: 'logged', settings: { log_priority_changes: true } })
    ids = await makeMany(plums, 2)
    const readers = { value: { granted_groups: [`${ORCHARD}_4`], is_used_by_default: true } }
    const secret = await makeTestArtifact(api, plums, { summary: 'Secret', readers })
    await rank({ ids: pick(1), before: ids[0] })
    await rank({ ids: pick(1), after: secret }, MARA)
    const list = (as: TestPerson, query = '') => api.get(`/artifacts/${ids[1]}/rank_changes${query}`, { as })
    const { json, headers } = await list(TOM)
    expect(json).toMatchObject([
      { by: { id: MARA.id }, side: 'after', rank_version: 2, artifact: null },
      { by: { id: TOM.id }, side: 'before', rank_version: 1, artifact: { id: ids[0], uri: `artifacts/${ids[0]}` } },
    ])
    expect(headers['x-pagination-size']).toBe('2')
    expect((await list(MARA, '?limit=1')).json).toMatchObject([{ artifact: { id: secret } }])
    expect((await api.get(`/artifacts/${secret}/rank_changes`, { as: TOM })).status).toBe(404)
    await api.delete(`/artifacts/${ids[1]}`, { as: MARA })
    expect((await api.delete(`/artifacts/${ids[1]}?purge=true`, { as: ADA })).status).toBe(200)
  })
})

test('50 concurrent writers end with one total order; nothing is lost or doubled', async () => {
  const others = await makeMany(plums, 55)
  const everyone = [...ids, ...others]
  const writers = Array.from({ length: 50 }, (_, at) => at)
  const answers = await Promise.all(
    writers.map(async (writer) => {
      const moved = [others[writer] ?? 0, others[(writer + 7) % 50] ?? 0]
      const body = { ids: moved, [writer % 2 ? 'before' : 'after']: ids[writer % 5] }
      for (;;) {
        const answer = await rank(body, writer % 3 ? TOM : MARA)
        if (answer.status !== 503) return answer
      }
    }),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const versions = answers.map(({ json }) => json.rank_version)
  expect(new Set(versions).size).toBe(50)
  expect(Math.max(...versions)).toBe(50)
  const order = await ordered()
  expect(order.toSorted((one, other) => one - other)).toEqual(everyone)
  // The last writer has its artifacts where it put them.
  const last = versions.indexOf(50)
  const anchor = order.indexOf(ids[last % 5] ?? 0)
  const place = last % 2 ? order.slice(anchor - 2, anchor) : order.slice(anchor + 1, anchor + 3)
  expect(place).toEqual([others[last], others[(last + 7) % 50]])
  const { rows } = await sql<{ count: number }>`
    select count(distinct rank) as count from artifact where tracker_id = ${plums.id}`.execute(db)
  expect(rows).toEqual([{ count: everyone.length }])
  expect(await recordedEvents(context, 'artifact.ranked')).toHaveLength(100)
})
