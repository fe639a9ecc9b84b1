import { beforeAll, describe, expect, test } from 'vitest'
import type { ArtifactId } from '../../src/artifacts/artifact.ts'
import { toId } from '../../src/platform/database/ids.ts'
import { type MadeTracker, makeArtifact, makeTracker } from '../every-field.ts'
import { startWorld } from '../harness.ts'
import { ADA, MARA, OLGA, type Person, TOM, UMA } from '../people.ts'
import { LEADS, ORCHARD } from '../places.ts'
import { refused } from '../refused.ts'
import { makeSightWorld, type SightWorld } from '../sight-world.ts'
import { attack, comparable, comparableAs } from './attack.ts'

const world = await startWorld({ seedOnce: true })
const { api, context } = world
const NONE = 999_999
let sights: SightWorld
beforeAll(async () => {
  sights = await makeSightWorld(api)
}, 60_000)

describe('what was deleted', () => {
  test('Z16 is gone by every way, for everybody, and its number is not given again', async () => {
    const { tracker, ids } = sights.parcels
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
    const next = await makeArtifact(api, tracker, { summary: 'Next' })
    expect(await number(next)).toBeGreaterThan(await number(ids.deleted))
  })

  test('Z43 a deletion is for administrators, within the limit', async () => {
    const crate = await makeArtifact(api, sights.crates.tracker, { summary: 'Doomed' })
    const remove = (as: Person, id = crate) => api.delete(`/artifacts/${id}`, { as })
    expect(await remove(TOM)).toMatchObject(refused(403, 'permission_denied'))
    expect(await remove(MARA, sights.vault.id)).toMatchObject(refused(404, 'not_found'))
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

  test('Z44 trash and archives are for those who administer, and what comes back has its old rights', async () => {
    const { tracker, ids } = sights.crates
    for (const as of [OLGA, TOM, UMA]) {
      expect((await api.get(`/trackers/${tracker.id}/trash`, { as })).status).toBe(403)
      expect((await api.get(`/projects/${ORCHARD}/trash`, { as })).status).toBe(403)
      for (const path of ['/trash', '/archives', '/archives/1', '/archives/1/content'])
        expect((await api.get(path, { as })).status).toBe(403)
      const ask = (id: number) => api.post(`/artifacts/${id}/restore`, { as })
      expect(comparableAs(await ask(ids.deleted), ids.deleted, NONE)).toBe(comparable(await ask(NONE)))
    }
    const restricted = sights.parcels.ids.forLeads
    expect((await api.delete(`/artifacts/${restricted}`, { as: MARA })).status).toBe(200)
    expect((await api.post(`/artifacts/${restricted}/restore`, { as: MARA })).status).toBe(200)
    expect((await api.get(`/artifacts/${restricted}`, { as: TOM })).status).toBe(404)
    expect((await api.get(`/artifacts/${restricted}`, { as: UMA })).status).toBe(200)
  })
})

test('Z24 a write that says nothing of permissions leaves them', async () => {
  const { tracker, ids } = sights.parcels
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

describe('a step of the workflow', () => {
  let tracker: MadeTracker
  const field = (name: string, type: string, more: object = {}) => ({ name, type, label: name, ...more })
  beforeAll(async () => {
    const values = ['New', 'Open', 'Shut'].map((label) => ({ label }))
    tracker = await makeTracker(api, {
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

  test('Z26 that no rule allows, is another group’s or lacks something is refused, to administrators too', async () => {
    const make = (state: string, as = MARA) =>
      api.post('/artifacts', { as, body: { tracker: { id: tracker.id }, values_by_field: { state } } })
    expect((await make('Open', ADA)).status).toBe(400)
    const { id } = (await make('New')).json
    const go = (state: string, as: Person, more: object = {}) =>
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

test('Z19/artifact nobody chooses author, time, number or tracker of what he writes', async () => {
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
  const body = { ...forged, tracker: { id: sights.parcels.tracker.id }, values_by_field: { summary: 'Mine' } }
  const { status, json } = await api.post('/artifacts', { as: TOM, body })
  expect(status).toBe(201)
  expect(json).toMatchObject({ submitted_by: TOM.id, last_update_by: TOM.id, project: { id: ORCHARD } })
  const changed = await api.put(`/artifacts/${json.id}`, {
    as: MARA,
    body: { ...body, values_by_field: { summary: 'Ours' } },
  })
  expect(changed.json).toMatchObject({ id: json.id, submitted_by: TOM.id, last_update_by: MARA.id })
  expect((await api.get(`/artifacts/${json.id}`, { as: TOM })).status).toBe(200)
})

test('D07 an artifact with very many links and versions is paged, in time', { timeout: 120_000 }, async () => {
  const { tracker } = sights.crates
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
  const id = await makeArtifact(api, tracker, {
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
