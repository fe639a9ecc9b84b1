import { beforeEach, expect, test } from 'vitest'
import type { Response } from '../../harness/client.ts'
import { Lines } from '../../harness/client.ts'
import { EVERY_FIELD, type MadeTracker, makeTestArtifact, makeTestTracker } from '../../fixtures/every-field.ts'
import { startWorld } from '../../harness/start-world.ts'
import { ADA, MARA } from '../../fixtures/people.ts'
import { seedTestArtifacts } from '../../fixtures/seed-artifacts.ts'
import { changedTables, tableDigests } from '../../harness/table-digests.ts'

const { api, context } = await startWorld()
const { db } = context
let tracker: MadeTracker
let other: MadeTracker
let id: number
let bystander: number

beforeEach(async () => {
  await seedTestArtifacts(db)
  tracker = await makeTestTracker(api, EVERY_FIELD)
  other = await makeTestTracker(api, { ...EVERY_FIELD, label: 'Others', item_name: 'other' })
  bystander = await makeTestArtifact(api, tracker, { summary: 'Bystander', points: 3, assigned_to: ['tom'] })
  const values = { points: 5, tags: ['fragile'], assigned_to: ['tom'], due: '2026-03-02', details: `art #${bystander}` }
  const links = { links: [{ id: bystander, type: '_is_child' }] }
  id = await makeTestArtifact(api, tracker, { summary: 'Pump', ...values, links })
  await makeTestArtifact(api, tracker, {
    summary: 'Friend',
    links: { links: [{ id, type: '' }] },
    details: `art #${id}`,
  })
})

const update = (artifact: number) => ({
  op: 'update',
  id: artifact,
  values_by_field: { summary: 'Changed', points: 6 },
})

/** Ids are unique across tables, so a row that contains this number belongs to this artifact. */
const CASES: readonly {
  what: string
  write: () => Promise<Response>
  prepare?: () => Promise<unknown>
  more?: string[]
}[] = [
  {
    what: 'a change',
    write: () => api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { points: 9 } } }),
  },
  { what: 'a deletion', write: () => api.delete(`/artifacts/${id}`, { as: MARA }), more: ['tracker_total'] },
  {
    what: 'a restoration',
    prepare: () => api.delete(`/artifacts/${id}`, { as: MARA }),
    write: () => api.post(`/artifacts/${id}/restore`, { as: MARA }),
    more: ['tracker_total'],
  },
  {
    what: 'a purge',
    prepare: () => api.delete(`/artifacts/${id}`, { as: MARA }),
    write: () => api.delete(`/artifacts/${id}?purge=true`, { as: ADA }),
  },
  {
    what: 'a move',
    write: () => api.patch(`/artifacts/${id}`, { as: MARA, body: { move: { tracker_id: other.id } } }),
    more: ['tracker_total'],
  },
  {
    what: 'a mass change',
    write: () =>
      api.post(`/trackers/${tracker.id}/artifacts/bulk`, { as: MARA, body: new Lines([update(id), update(999_999)]) }),
  },
]

test.each(CASES)('Z31 $what changes only rows of its artifact', async ({ write, prepare, more = [] }) => {
  await prepare?.()
  const own = `\\b${id}\\b`
  const names = [...(await tableDigests(db)).keys()]
  const except = Object.fromEntries(names.map((name) => [name, own]))
  const before = await tableDigests(db, except)
  const answer = await write()
  expect(answer.status, answer.text).toBe(200)
  const changed = changedTables(before, await tableDigests(db, except))
  expect(changed.filter((name) => name !== 'access_key' && !more.includes(name))).toEqual([])
  const rest = await api.get(`/artifacts/${bystander}/changesets`, { as: MARA })
  expect(rest.json).toHaveLength(1)
})
