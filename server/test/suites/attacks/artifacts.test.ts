import { beforeAll, describe, expect, test } from 'vitest'
import { makeTestArtifact } from '../../fixtures/every-field.ts'
import { startWorld } from '../../harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, type TestPerson, TOM, UMA } from '../../fixtures/people.ts'
import { refused } from '../../harness/refused.ts'
import { makeVisibilityWorld, type VisibilityWorld } from '../../fixtures/visibility-world.ts'
import { attack, comparable, comparableAs } from './attack.ts'

const world = await startWorld({ seedOnce: true })
const { api } = world
const ABSENT_ID = 999_999
let visibilityWorld: VisibilityWorld
beforeAll(async () => {
  visibilityWorld = await makeVisibilityWorld(api)
})

describe('an unreadable artifact', () => {
  const hiddenFrom = () => [
    { as: TOM, id: visibilityWorld.parcels.ids.olgas },
    { as: OLGA, id: visibilityWorld.crates.ids.hiddenChild },
    { as: UMA, id: visibilityWorld.whispers.id },
    { as: MARA, id: visibilityWorld.vault.id },
    { as: undefined, id: visibilityWorld.parcels.ids.toms },
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

  test('Z03 looks absent for every method, format and condition', async () => {
    await attack(world, async (send) => {
      for (const { as, id } of hiddenFrom()) {
        const { etag } = (await api.get(`/artifacts/${id}`, { as: ADA })).headers
        for (const method of ['GET', 'HEAD'])
          for (const path of reads)
            for (const headers of [{}, { 'if-none-match': etag }, { 'if-none-match': '*' }, { range: 'bytes=0-1' }]) {
              const ask = (each: number) => send(method, `/artifacts/${each}${path}`, { ...(as && { as }), headers })
              const answer = await ask(id)
              expect(answer.status, `${method} ${path}`).toBe(as ? 404 : 401)
              expect(comparableAs(answer, id, ABSENT_ID)).toBe(comparable(await ask(ABSENT_ID)))
            }
        expect(comparableAs(await send('OPTIONS', `/artifacts/${id}`), id, ABSENT_ID)).toBe(
          comparable(await send('OPTIONS', `/artifacts/${ABSENT_ID}`)),
        )
      }
    })
  })

  test('Z03/write looks absent to writers too, with any precondition', async () => {
    await attack(world, async (send) => {
      for (const { as, id } of hiddenFrom()) {
        const { etag } = (await api.get(`/artifacts/${id}`, { as: ADA })).headers
        const writes = [
          { method: 'PUT', path: '', body: { values_by_field: { summary: 'Mine' } } },
          { method: 'PUT', path: '/links', body: { all_links: [] } },
          { method: 'PATCH', path: '', body: { move: { tracker_id: visibilityWorld.crates.tracker.id } } },
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
            expect(comparableAs(answer, id, ABSENT_ID)).toBe(comparable(await ask(ABSENT_ID)))
          }
      }
    })
  })
})

describe('a field', () => {
  const put = (values_by_field: object, as: TestPerson) => ({ as, body: { values_by_field } })

  test('Z05 that is read-only refuses the whole write; a hidden one is unknown', async () => {
    const { ids, tracker } = visibilityWorld.crates
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
        expect(comparableAs(await byId(id), id, ABSENT_ID)).toBe(comparable(await byId(ABSENT_ID)))
      }
    })
  })

  test('Z48 hidden list values, users and links are unknown, by name and by id', async () => {
    const { ids } = visibilityWorld.crates
    const ask = (links: object) => api.put(`/artifacts/${ids.full}`, put({ links }, TOM))
    for (const id of [visibilityWorld.whispers.id, visibilityWorld.vault.id, ids.hiddenChild, ids.deleted]) {
      const hidden = await ask({ links: [{ id, type: 'new' }] })
      expect(comparableAs(hidden, id, ABSENT_ID)).toBe(
        comparable(await ask({ links: [{ id: ABSENT_ID, type: 'new' }] })),
      )
      const type = await ask({ links: [{ id, type: '_is_child' }] })
      const absent = await ask({ links: [{ id: ABSENT_ID, type: '_is_child' }] })
      expect(comparableAs(type, id, ABSENT_ID)).toBe(comparable(absent))
    }
  })
})

describe('references to hidden artifacts', () => {
  test('Z08 links and their counts omit hidden targets', async () => {
    const { ids, tracker } = visibilityWorld.crates
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

  test('Z09 a text that names a hidden artifact renders as for an absent one', async () => {
    const { tracker } = visibilityWorld.crates
    const id = await makeTestArtifact(api, tracker, {
      summary: 'Names',
      details: [visibilityWorld.whispers.id, visibilityWorld.vault.id, visibilityWorld.crates.ids.deleted, ABSENT_ID]
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

  test('Z10 a sum does not change with a hidden child', async () => {
    const { ids, tracker } = visibilityWorld.crates
    const total = async (as: TestPerson) => {
      const { json } = await api.get(`/artifacts/${ids.full}`, { as })
      return json.values.find(({ field_id }: { field_id: number }) => field_id === tracker.field('total')).value
    }
    expect([await total(TOM), await total(MARA)]).toEqual([3, 503])
    await api.put(`/artifacts/${ids.hiddenChild}`, { as: MARA, body: { values_by_field: { weight: 700 } } })
    expect([await total(TOM), await total(MARA)]).toEqual([3, 703])
  })

  test('Z11 the parent of a tracker is not named to viewers who may not see it', async () => {
    const { id } = visibilityWorld.crates.tracker
    for (const as of [undefined, OLGA, TOM, UMA])
      expect((await api.get(`/trackers/${id}`, as && { as })).json.parent).toBeNull()
    expect((await api.get(`/trackers/${id}`, { as: MARA })).json.parent).toMatchObject({
      id: visibilityWorld.whispers.tracker.id,
    })
  })

  test('Z18 a restricted comment is empty for others, and not counted', async () => {
    const { ids } = visibilityWorld.crates
    const read = async (as: TestPerson) => api.get(`/artifacts/${ids.full}/changesets?fields=comments&limit=50`, { as })
    const [others, few] = [await read(TOM), await read(UMA)]
    expect([others.headers['x-pagination-size'], others.json]).toEqual(['0', []])
    expect(few.headers['x-pagination-size']).toBe('2')
  })
})
