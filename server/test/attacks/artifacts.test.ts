import { beforeAll, describe, expect, test } from 'vitest'
import type { ArtifactId } from '../../src/artifacts/artifact.ts'
import { toId } from '../../src/platform/database/ids.ts'
import type { Response } from '../client.ts'
import { type MadeTracker, makeArtifact, makeTracker } from '../every-field.ts'
import { startWorld } from '../harness.ts'
import { ADA, GUS, MARA, OLGA, type Person, TOM, UMA } from '../people.ts'
import { LEADS, ORCHARD } from '../places.ts'
import { refused } from '../refused.ts'
import { makeSightWorld, type SightWorld } from '../sight-world.ts'
import { attack, comparable } from './attack.ts'

const world = await startWorld({ seedOnce: true })
const { api, context } = world
const NONE = 999_999
let sights: SightWorld
beforeAll(async () => {
  sights = await makeSightWorld(api)
}, 60_000)

/** With a number that is not there instead of this one, the answer is the same to the byte. */
function alike(one: Response, other: Response, id: number): void {
  const masked = (answer: Response) =>
    comparable(answer)
      .replaceAll(String(id), String(NONE))
      .replace(/<request_id>[^<]*/, '')
  expect(masked(one)).toBe(masked(other))
}

describe('an artifact that one may not read', () => {
  const hiddenFrom = () => [
    { as: TOM, id: sights.parcels.ids.olgas },
    { as: OLGA, id: sights.crates.ids.hiddenChild },
    { as: UMA, id: sights.whispers.id },
    { as: MARA, id: sights.vault.id },
    { as: undefined, id: sights.parcels.ids.toms },
  ]
  const reads = [
    '',
    '.xml',
    '?values_format=all',
    '?version=1',
    '?at=2030-01-01',
    '/changesets',
    '/links',
    '/changesets/1',
  ]

  test('Z03 is as if it were not there, by every method, format and condition', async () => {
    await attack(world, async (send) => {
      for (const { as, id } of hiddenFrom()) {
        const { etag } = (await api.get(`/artifacts/${id}`, { as: ADA })).headers
        for (const method of ['GET', 'HEAD'])
          for (const path of reads)
            for (const headers of [{}, { 'if-none-match': etag }, { 'if-none-match': '*' }, { range: 'bytes=0-1' }]) {
              const ask = (each: number) => send(method, `/artifacts/${each}${path}`, { ...(as && { as }), headers })
              const answer = await ask(id)
              expect(answer.status, `${method} ${path}`).toBe(as ? 404 : 401)
              alike(answer, await ask(NONE), id)
            }
        alike(await send('OPTIONS', `/artifacts/${id}`), await send('OPTIONS', `/artifacts/${NONE}`), id)
      }
    })
  })

  test('Z03/write is not there for writers either, whatever the precondition', async () => {
    await attack(world, async (send) => {
      for (const { as, id } of hiddenFrom()) {
        const { etag } = (await api.get(`/artifacts/${id}`, { as: ADA })).headers
        const writes = [
          { method: 'PUT', path: '', body: { values_by_field: { summary: 'Mine' } } },
          { method: 'PUT', path: '/links', body: { all_links: [] } },
          { method: 'PATCH', path: '', body: { move: { tracker_id: sights.crates.tracker.id } } },
          { method: 'DELETE', path: '' },
          { method: 'DELETE', path: '?purge=true' },
          { method: 'POST', path: '/restore' },
          { method: 'POST', path: '/copy', body: {} },
        ]
        for (const { method, path, body } of writes)
          for (const headers of [{}, { 'if-match': etag }, { 'if-match': '"0"' }]) {
            const ask = (each: number) =>
              send(method, `/artifacts/${each}${path}`, { ...(as && { as }), headers, body })
            const answer = await ask(id)
            expect([401, 403, 404], `${method} ${path}`).toContain(answer.status)
            alike(answer, await ask(NONE), id)
          }
      }
    })
  })
})

describe('a field', () => {
  const put = (values_by_field: object, as: Person) => ({ as, body: { values_by_field } })

  test('Z05 that may only be read stops the whole write; a hidden one is an unknown one', async () => {
    const { ids, tracker } = sights.crates
    const path = `/artifacts/${ids.full}`
    await attack(world, async (send) => {
      const both = await send('PUT', path, put({ summary: 'Mine', weight: 7 }, OLGA))
      expect(both).toMatchObject(refused(400, 'field_not_writable', { cause: 'field_not_updatable' }))
      expect(both.json.error.details.all).toMatchObject([{ name: 'summary' }, { name: 'weight' }])
      for (const [name, as] of [
        ['for_members', OLGA],
        ['for_admins', TOM],
        ['for_leads', TOM],
      ] as const) {
        const hidden = await send('PUT', path, put({ [name]: 'x' }, as))
        const unknown = await send('PUT', path, put({ not_there: 'x' }, as))
        expect(hidden).toMatchObject(refused(400, 'reference_unknown', { cause: 'field_unknown' }))
        expect(comparable(hidden).replaceAll(name, 'not_there')).toBe(comparable(unknown))
        const byId = (field_id: number) => send('PUT', path, { as, body: { values: [{ field_id, value: 'x' }] } })
        const id = (await api.get(`/trackers/${tracker.id}`, { as: ADA })).json.fields.find(
          (field: { name: string }) => field.name === name,
        ).field_id
        alike(await byId(id), await byId(NONE), id)
      }
    })
  })

  test('Z48 list values, people and links that one may not know are unknown, by name as by id', async () => {
    const { ids } = sights.crates
    const ask = (links: object) => api.put(`/artifacts/${ids.full}`, put({ links }, TOM))
    for (const id of [sights.whispers.id, sights.vault.id, ids.hiddenChild, ids.deleted]) {
      const hidden = await ask({ links: [{ id, type: 'new' }] })
      alike(hidden, await ask({ links: [{ id: NONE, type: 'new' }] }), id)
      const type = await ask({ links: [{ id, type: '_is_child' }] })
      const absent = await ask({ links: [{ id: NONE, type: '_is_child' }] })
      if (type.status === 400) alike(type, absent, id)
    }
  })
})

describe('what leads to hidden artifacts', () => {
  test('Z08 links and their counts leave out whose other end is hidden', async () => {
    const { ids, tracker } = sights.crates
    for (const as of [undefined, OLGA, GUS, TOM, UMA]) {
      const options = as && { as }
      const { json } = await api.get(`/artifacts/${ids.full}`, options)
      const field = json.values.find(({ field_id }: { field_id: number }) => field_id === tracker.field('links'))
      expect(field.links.map(({ id }: { id: number }) => id)).toEqual([ids.child])
      expect(field.reverse_links).toEqual([])
      for (const [query, size] of [
        ['direction=forward', '0'],
        ['direction=reverse&nature=_is_child', '0'],
        ['direction=forward&nature=_is_child&limit=1', '1'],
        ['direction=forward&nature=', '0'],
      ])
        expect(
          (await api.get(`/artifacts/${ids.full}/linked_artifacts?${query}`, options)).headers['x-pagination-size'],
          `${as?.login} ${query}`,
        ).toBe(size)
      expect((await api.get(`/artifacts/${ids.full}/links`, options)).json.natures).toHaveLength(1)
    }
    expect(
      (await api.get(`/artifacts/${ids.full}/linked_artifacts?direction=reverse&nature=_is_child`, { as: MARA }))
        .headers['x-pagination-size'],
    ).toBe('1')
  })

  test('Z09 a text that names a hidden artifact shows no more of it than of one that is not there', async () => {
    const { tracker } = sights.crates
    const id = await makeArtifact(api, tracker, {
      summary: 'Names',
      details: [sights.whispers.id, sights.vault.id, sights.crates.ids.deleted, NONE]
        .map((each) => `art #${each}`)
        .join('; '),
    })
    for (const as of [undefined, OLGA, TOM, UMA]) {
      const { json } = await api.get(`/artifacts/${id}`, as && { as })
      const shown: { field_id: number; post_processed_value: string; value: unknown }[] = json.values
      const details = shown.find(({ field_id }) => field_id === tracker.field('details'))?.post_processed_value ?? ''
      const parts = details.replaceAll(/<\/?p>/g, '').split('; ')
      expect(new Set(parts.map((part) => part.replaceAll(/\d+/g, ''))).size, details).toBe(1)
      const references = shown.find(({ field_id }) => field_id === tracker.field('references'))
      expect(references?.value ?? [], as?.login).toEqual([])
    }
  })

  test('Z10 a sum does not move when a hidden child does', async () => {
    const { ids, tracker } = sights.crates
    const total = async (as: Person) => {
      const { json } = await api.get(`/artifacts/${ids.full}`, { as })
      return json.values.find(({ field_id }: { field_id: number }) => field_id === tracker.field('total')).value
    }
    expect([await total(TOM), await total(MARA)]).toEqual([3, 503])
    await api.put(`/artifacts/${ids.hiddenChild}`, { as: MARA, body: { values_by_field: { weight: 700 } } })
    expect([await total(TOM), await total(MARA)]).toEqual([3, 703])
  })

  test('Z11 the parent of a tracker is not named to who may not see it', async () => {
    const { id } = sights.crates.tracker
    for (const as of [undefined, OLGA, TOM, UMA])
      expect((await api.get(`/trackers/${id}`, as && { as })).json.parent).toBeNull()
    expect((await api.get(`/trackers/${id}`, { as: MARA })).json.parent).toMatchObject({
      id: sights.whispers.tracker.id,
    })
  })

  test('Z18 a comment for few is empty for others, who do not even count it', async () => {
    const { ids } = sights.crates
    const read = async (as: Person) => api.get(`/artifacts/${ids.full}/changesets?fields=comments&limit=50`, { as })
    const [others, few] = [await read(TOM), await read(UMA)]
    expect([others.headers['x-pagination-size'], others.json]).toEqual(['0', []])
    expect(few.headers['x-pagination-size']).toBe('2')
  })
})

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
      alike(await ask(ids.deleted), await ask(NONE), ids.deleted)
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
