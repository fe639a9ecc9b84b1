import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { LEADS } from '../../../test/fixtures/seed-ids.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startRecorder } from '../../../test/suites/sql/record-statements.ts'
import { toId } from '../../platform/database/ids.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { createEntryCache } from './entry-cache.ts'

const recorder = startRecorder()
afterAll(() => recorder.stop())
// A list by one value reads the versions of its rows, and takes unchanged entries from memory.
const { api, context } = await startWorld()

const everybody = { permissions: { read: ['@anonymous'], submit: ['@members'], update: ['@members'] } }
const members = { permissions: { read: ['@members'], submit: ['@members'], update: ['@members'] } }
const values = [{ label: 'Oak' }, { label: 'Elm' }]

let tracker: MadeTracker
let ids: number[]
beforeEach(async () => {
  tracker = await makeTestTracker(api, {
    label: 'Trees',
    item_name: 'trees',
    permissions: { full: ['@anonymous'] },
    elements: [
      { name: 'summary', type: 'string', label: 'summary', ...members },
      { name: 'kind', type: 'sb', label: 'kind', bind: { type: 'static', values }, ...everybody },
      { name: 'seen_by', type: 'perm', label: 'seen_by', ...everybody },
    ],
    semantics: { title: 'summary' },
  })
  ids = []
  for (const summary of ['First', 'Second', 'Third']) {
    ids.push(await makeTestArtifact(api, tracker, { summary, kind: 'Oak' }))
  }
})

const list = (as: TestPerson, parameters = '') =>
  api.get(`/trackers/${tracker.id}/artifacts?query=${encodeURIComponent('{"kind":"Oak"}')}${parameters}`, { as })

async function countHits(...reads: (() => Promise<unknown>)[]): Promise<number> {
  const before = context.listEntries.state().hits
  for (const read of reads) await read()
  return context.listEntries.state().hits - before
}

describe('the page of a list by one value', () => {
  test('is found again without a search while nothing is written, and is the same', async () => {
    const first = await list(TOM)
    await expect
      .poll(
        async () => {
          let text = ''
          const statements = await recorder.record(async () => {
            text = (await list(TOM)).text
          })
          expect(text).toBe(first.text)
          return statements.filter((statement) => statement.text.includes('value_index')).length
        },
        { timeout: 30_000 },
      )
      .toBe(0)
  })

  test('has every write that was committed before the request', async () => {
    for (const kind of ['Elm', 'Oak', 'Elm', 'Oak']) {
      await list(TOM)
      await list(TOM)
      expect((await api.put(`/artifacts/${ids[1]}`, { as: MARA, body: { values_by_field: { kind } } })).status).toBe(
        200,
      )
      expect((await list(TOM)).json).toHaveLength(kind === 'Oak' ? 3 : 2)
    }
  })
})

describe('the entries of a list by one value', () => {
  test('come from memory when they are requested again, byte for byte as those made anew', async () => {
    const first = await list(TOM)
    expect(await countHits(() => list(TOM))).toBe(3)
    const again = await list(TOM)
    const anew = await list(TOM, '&max_bytes=1000000')
    expect(again.text).toBe(first.text)
    expect(again.headers['etag']).toBe(first.headers['etag'])
    expect(again.json).toEqual(anew.json)
  })

  test('are the same as in the list of all, which is not answered from memory', async () => {
    await list(TOM)
    const all = await api.get(`/trackers/${tracker.id}/artifacts`, { as: TOM })
    expect((await list(TOM)).json).toEqual(all.json)
  })

  test('are made anew after a change of the artifact, of its people, or of the tracker', async () => {
    const [id = 0] = ids
    const changes: [() => Promise<{ status: number }>, number, object][] = [
      [
        () => api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { summary: 'New' } } }),
        2,
        { title: 'New' },
      ],
      [
        () => api.patch(`/users/${MARA.id}`, { as: MARA, body: { values: { real_name: 'Mara K.' } } }),
        0,
        { submitted_by_user: { real_name: 'Mara K.' } },
      ],
      [
        () => api.patch(`/trackers/${tracker.id}`, { as: MARA, body: { label: 'Woods' } }),
        0,
        { tracker: { label: 'Woods' } },
      ],
    ]
    await list(TOM)
    for (const [change, kept, shown] of changes) {
      expect((await change()).status).toBe(200)
      let json: object[] = []
      expect(await countHits(async () => ({ json } = await list(TOM)))).toBe(kept)
      expect(json[0]).toMatchObject(shown)
      expect(await countHits(() => list(TOM))).toBe(3)
    }
  })

  test('are cut to the fields that each viewer may read', async () => {
    await list(TOM)
    expect(await countHits(() => list(OLGA))).toBe(0)
    expect((await list(OLGA)).json[0].title).toBeNull()
    expect((await list(TOM)).json[0].title).toBe('First')
  })

  test('disappear with the permission to see the artifact, or the tracker', async () => {
    const [id = 0] = ids
    await list(OLGA)
    await api.put(`/artifacts/${id}`, {
      as: MARA,
      body: { values_by_field: { seen_by: { value: { granted_groups: [String(LEADS)], is_used_by_default: true } } } },
    })
    const { json, headers } = await list(OLGA)
    expect(json.map((each: { id: number }) => each.id)).toEqual(ids.slice(1))
    expect(headers['x-pagination-size']).toBe('2')
    await api.delete(`/artifacts/${ids[1]}`, { as: MARA })
    expect((await list(OLGA)).json).toHaveLength(1)
    await api.delete(`/trackers/${tracker.id}`, { as: ADA })
    expect((await list(OLGA)).status).toBe(404)
    expect((await list(OLGA, '&order=wrong')).status).toBe(400)
    expect((await api.get(`/trackers/${tracker.id}/artifacts?expert_query=nothing`, { as: OLGA })).status).toBe(404)
  })

  test('are found by a value that the tracker in memory does not have yet', async () => {
    await list(TOM)
    const field = tracker.field('kind')
    const { status } = await api.patch(`/tracker_fields/${field}`, { as: MARA, body: { new_values: ['Yew'] } })
    expect(status).toBe(200)
    const yews = await api.get(`/trackers/${tracker.id}/artifacts?expert_query=${encodeURIComponent("kind = 'Yew'")}`, {
      as: TOM,
    })
    expect(yews).toMatchObject({ status: 200, json: [] })
  })
})

test('the memory never exceeds its limit, and keeps nothing with 0 MiB', async () => {
  const loaded = await context.trackers.now(context.db, toId<TrackerId>(tracker.id))
  if (!loaded) throw new TypeError('There is no tracker.')
  const fill = (mib: number) => {
    const cache = createEntryCache({ WAYPOST_CACHE_MIB: mib })
    for (const id of Array.from({ length: 200 }, (_, at) => at))
      cache.store('en', toId<ArtifactId>(id + 1), {
        tracker: loaded,
        version: '1',
        people: [],
        bytes: Buffer.alloc(10_000),
      })
    return cache.state().bytes
  }
  expect(fill(1)).toBeLessThanOrEqual(1024 * 1024)
  expect(fill(1)).toBeGreaterThan(900_000)
  expect(fill(0)).toBe(0)
})
