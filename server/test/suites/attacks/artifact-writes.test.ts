import { beforeAll, describe, expect, test } from 'vitest'
import type { ArtifactId } from '../../../src/artifacts/artifact.ts'
import { toId } from '../../../src/platform/database/ids.ts'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../fixtures/every-field.ts'
import { startWorld } from '../../harness/start-world.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA } from '../../fixtures/people.ts'
import { LEADS, ORCHARD } from '../../fixtures/seed-ids.ts'
import { refused } from '../../harness/refused.ts'
import { makeVisibilityWorld, type VisibilityWorld } from '../../fixtures/visibility-world.ts'
import { attack, comparable, comparableAs } from './attack.ts'

const world = await startWorld({ seedOnce: true })
const { api, context } = world
const ABSENT_ID = 999_999
let visibilityWorld: VisibilityWorld
beforeAll(async () => {
  visibilityWorld = await makeVisibilityWorld(api)
})

describe('a deleted artifact', () => {
  test('Z16 is gone on every route, for every caller, and its number is not reused', async () => {
    const { tracker, ids } = visibilityWorld.parcels
    const number = async (id: number) =>
      (
        await context.db
          .selectFrom('artifact')
          .select('number')
          .where('id', '=', toId<ArtifactId>(id))
          .executeTakeFirstOrThrow()
      ).number
    for (const as of [TOM, UMA, MARA, ADA]) {
      for (const path of ['', '/changesets', '/links', '?version=1', '.xml'])
        expect((await api.get(`/artifacts/${ids.deleted}${path}`, { as })).status).toBe(404)
      const { text } = await api.get(`/trackers/${tracker.id}/artifacts?values=all`, { as })
      expect(text).not.toContain(`"id":${ids.deleted},`)
      const query = encodeURIComponent(JSON.stringify({ id: [ids.deleted] }))
      expect((await api.get(`/artifacts?query=${query}`, { as })).json.collection).toEqual([])
    }
    const next = await makeTestArtifact(api, tracker, { summary: 'Next' })
    expect(await number(next)).toBeGreaterThan(await number(ids.deleted))
  })

  test('Z43 deletion requires an administrator, within the limit', async () => {
    const crate = await makeTestArtifact(api, visibilityWorld.crates.tracker, { summary: 'Doomed' })
    const remove = (as: TestPerson, id = crate) => api.delete(`/artifacts/${id}`, { as })
    expect(await remove(TOM)).toMatchObject(refused(403, 'permission_denied'))
    expect(await remove(MARA, visibilityWorld.vault.id)).toMatchObject(refused(404, 'not_found'))
    const limit = async (artifact_deletion_limit: number) =>
      expect((await api.patch('/settings', { as: ADA, body: { artifact_deletion_limit } })).status).toBe(200)
    await limit(1)
    const over = await remove(MARA)
    expect(over).toMatchObject(refused(429, 'deletion_limit_reached'))
    expect(over.headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' })
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
    await limit(0)
    expect(await remove(MARA)).toMatchObject(refused(403, 'deletion_disabled'))
    await limit(100)
    expect((await remove(MARA)).status).toBe(200)
  })

  test('Z44 trash and archives require an administrator, and a restored artifact has its old permissions', async () => {
    const { tracker, ids } = visibilityWorld.crates
    for (const as of [OLGA, TOM, UMA]) {
      expect((await api.get(`/trackers/${tracker.id}/trash`, { as })).status).toBe(403)
      expect((await api.get(`/projects/${ORCHARD}/trash`, { as })).status).toBe(403)
      for (const path of ['/trash', '/archives', '/archives/1', '/archives/1/content'])
        expect((await api.get(path, { as })).status).toBe(403)
      const ask = (id: number) => api.post(`/artifacts/${id}/restore`, { as })
      expect(comparableAs(await ask(ids.deleted), ids.deleted, ABSENT_ID)).toBe(comparable(await ask(ABSENT_ID)))
    }
    const restricted = visibilityWorld.parcels.ids.forLeads
    expect((await api.delete(`/artifacts/${restricted}`, { as: MARA })).status).toBe(200)
    expect((await api.post(`/artifacts/${restricted}/restore`, { as: MARA })).status).toBe(200)
    expect((await api.get(`/artifacts/${restricted}`, { as: TOM })).status).toBe(404)
    expect((await api.get(`/artifacts/${restricted}`, { as: UMA })).status).toBe(200)
  })
})

test('Z24 a write without permissions keeps the existing ones', async () => {
  const { tracker, ids } = visibilityWorld.parcels
  const id = ids.forAdmins
  const bulk = JSON.stringify({ op: 'update', id, values_by_field: { summary: 'Same' } })
  await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { summary: 'Other' } } })
  await api.post(`/trackers/${tracker.id}/artifacts/bulk`, {
    as: MARA,
    body: `${bulk}\n`,
    headers: { 'content-type': 'application/x-ndjson' },
  })
  for (const as of [TOM, UMA]) expect((await api.get(`/artifacts/${id}`, { as })).status).toBe(404)
  expect((await api.get(`/artifacts/${id}`, { as: MARA })).json.title).toBe('Same')
})

describe('a workflow transition', () => {
  let tracker: MadeTracker
  const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
  beforeAll(async () => {
    const values = ['New', 'Open', 'Shut'].map((label) => ({ label }))
    tracker = await makeTestTracker(api, {
      label: 'Doors',
      item_name: 'door',
      permissions: { full: ['@anonymous'] },
      elements: [field('state', 'sb', { bind: { type: 'static', values } }), field('key', 'string')],
      workflow: {
        field: 'state',
        mode: 'advanced',
        transitions: [
          { from: '@new', to: 'new' },
          { from: 'new', to: 'open', conditions: { groups: ['leads'] } },
          { from: 'open', to: 'shut', conditions: { not_empty: ['key'], comment: true } },
        ],
      },
    })
  })

  test('Z26 without a rule, of another group or with missing fields is refused, to administrators too', async () => {
    const make = (state: string, as = MARA) =>
      api.post('/artifacts', { as, body: { tracker: { id: tracker.id }, values_by_field: { state } } })
    expect((await make('Open', ADA)).status).toBe(400)
    const { id } = (await make('New')).json
    const go = (state: string, as: TestPerson, more: object = {}) =>
      api.put(`/artifacts/${id}`, { as, body: { values_by_field: { state, ...more } } })
    await attack(world, async (send) => {
      for (const as of [TOM, MARA, ADA])
        expect(
          (await send('PUT', `/artifacts/${id}`, { as, body: { values_by_field: { state: 'Shut' } } })).status,
        ).toBe(400)
      expect(
        (await send('PUT', `/artifacts/${id}`, { as: TOM, body: { values_by_field: { state: 'Open' } } })).status,
      ).toBe(400)
    })
    expect((await go('Open', UMA)).status).toBe(200)
    expect(await go('Shut', MARA)).toMatchObject({ status: 400 })
    expect(await go('Shut', MARA, { key: 'brass' })).toMatchObject(refused(400, 'rule_violated'))
    expect((await api.get(`/artifacts/${id}`, { as: MARA })).text).toContain('"label":"Open"')
  })
})

test('Z19/artifact a caller cannot choose author, time, number or tracker of a write', async () => {
  const forged = {
    id: 1,
    version: 9,
    submitted_by: ADA.id,
    submitted_on: '2000-01-01T00:00:00Z',
    last_update_by: ADA.id,
    number: 7,
    project: { id: 2002 },
    people: [ADA.id],
    restricted_to: [LEADS],
  }
  const body = { tracker: { id: visibilityWorld.parcels.tracker.id }, values_by_field: { summary: 'Mine' } }
  const { json } = await api.post('/artifacts', { as: TOM, body })
  for (const [name, value] of Object.entries(forged))
    for (const answer of [
      await api.post('/artifacts', { as: TOM, body: { ...body, [name]: value } }),
      await api.put(`/artifacts/${json.id}`, { as: MARA, body: { ...body, [name]: value } }),
    ])
      expect([name, answer.json.error?.reason]).toEqual([name, 'member_unknown'])
  expect(json).toMatchObject({ submitted_by: TOM.id, last_update_by: TOM.id, project: { id: ORCHARD } })
  const changed = await api.put(`/artifacts/${json.id}`, {
    as: MARA,
    body: { ...body, values_by_field: { summary: 'Ours' } },
  })
  expect(changed.json).toMatchObject({ id: json.id, submitted_by: TOM.id, last_update_by: MARA.id })
  expect((await api.get(`/artifacts/${json.id}`, { as: TOM })).status).toBe(200)
})

test('D07 an artifact with very many links and versions is paged, in time', async () => {
  const { tracker } = visibilityWorld.crates
  const lines = Array.from({ length: 1000 }, (_, at) =>
    JSON.stringify({ op: 'create', values_by_field: { summary: `Part ${at}`, weight: 1 } }),
  )
  const made = await api.post(`/trackers/${tracker.id}/artifacts/bulk`, {
    as: MARA,
    body: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  const ids: number[] = made.text
    .split('\n')
    .flatMap((line) => (line.startsWith('{"line"') ? [JSON.parse(line).id] : []))
  expect(ids).toHaveLength(1000)
  const id = await makeTestArtifact(api, tracker, {
    summary: 'Whole',
    links: { links: ids.map((each) => ({ id: each, type: '_is_child' })) },
  })
  for (let weight = 0; weight < 100; weight++)
    await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { weight } } })
  await attack(world, async (send) => {
    const links = await send('GET', `/artifacts/${id}/linked_artifacts?direction=forward&nature=_is_child&limit=50`, {
      as: TOM,
    })
    expect([links.headers['x-pagination-size'], links.json.collection]).toEqual(['1000', expect.any(Array)])
    expect(links.json.collection).toHaveLength(50)
    const versions = await send('GET', `/artifacts/${id}/changesets?limit=50`, { as: TOM })
    expect([versions.headers['x-pagination-size'], versions.json.length]).toEqual(['101', 50])
    expect((await send('GET', `/artifacts/${id}`, { as: TOM })).status).toBe(200)
  })
})
