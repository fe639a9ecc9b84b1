import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type MadeTracker, makeTestArtifact, makeTestTracker } from '../../../test/fixtures/every-field.ts'
import { ROOTS, TREES } from '../../../test/fixtures/linked-trackers.ts'
import { ADA, MARA, OLGA, type TestPerson, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { LEADS } from '../../../test/fixtures/seed-ids.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startRecorder } from '../../../test/suites/sql/record-statements.ts'
import { toId } from '../../platform/database/ids.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { createRepresentationCache } from './representation-cache.ts'

const recorder = startRecorder()
afterAll(() => recorder.stop())
const { api, context } = await startWorld()
let trees: MadeTracker
let id: number
beforeEach(async () => {
  trees = await makeTestTracker(api, TREES)
  id = await makeTestArtifact(api, trees, { summary: 'Oak' })
})

const get = (as?: TestPerson, path = `/artifacts/${id}`, headers = {}) => api.get(path, { ...(as && { as }), headers })
/** How many of these reads were answered from the cache. */
async function countHits(...reads: (() => Promise<{ status: number }>)[]): Promise<number> {
  const before = context.representations.state().hits
  for (const read of reads) await read()
  return context.representations.state().hits - before
}
const store = async (as?: TestPerson, path?: string) =>
  countHits(
    () => get(as, path),
    () => get(as, path),
  )

describe('GET /artifacts/{id}', () => {
  test('is stored when it is requested again, and then answered from memory, byte for byte', async () => {
    const first = await get(TOM)
    expect(await countHits(() => get(TOM))).toBe(0)
    expect(await countHits(() => get(TOM))).toBe(1)
    const { headers, text, status } = await get(TOM)
    const comparable = (all: typeof headers) => ({ ...all, date: '', 'x-request-id': '' })
    expect({ status, text, headers: comparable(headers) }).toEqual({
      status: 200,
      text: first.text,
      headers: comparable(first.headers),
    })
  })

  test('is answered without its own statements while nothing is written to the database', async () => {
    const first = await get(TOM)
    await expect
      .poll(
        async () => {
          let text = ''
          const statements = await recorder.record(async () => {
            text = (await get(TOM)).text
          })
          expect(text).toBe(first.text)
          return statements.filter((statement) => statement.text.includes('artifact')).length
        },
        { timeout: 30_000 },
      )
      .toBe(0)
  })

  test('is answered with 304 from memory', async () => {
    await store(TOM)
    const { etag = '' } = (await get(TOM)).headers
    expect(await countHits(() => get(TOM, undefined, { 'if-none-match': etag }))).toBe(1)
    expect((await get(TOM, undefined, { 'if-none-match': etag })).status).toBe(304)
  })

  test('is shared by viewers with equal rights, and by no others', async () => {
    await store(OLGA)
    await get(VICTOR) // Loads the groups of Victor, who is no member of the project either.
    expect(await countHits(() => get(VICTOR))).toBe(1)
    await get(TOM)
    expect(await countHits(() => get(TOM))).toBe(0)
  })

  test('is made anew after the next change of a row, a name, a permission or a setting', async () => {
    const changes = [
      () => api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { points: 3 } } }),
      () => api.patch(`/trackers/${trees.id}`, { as: MARA, body: { label: 'Woods' } }),
      () => api.patch(`/users/${MARA.id}`, { as: MARA, body: { values: { real_name: 'Mara K.' } } }),
      () => api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: { user_references: [{ id: UMA.id }] } }),
      () => api.patch('/settings', { as: ADA, body: { time_zone: 'Europe/Berlin' } }),
    ]
    await store(TOM)
    for (const change of changes) {
      expect(await countHits(() => get(TOM))).toBe(1)
      expect((await change()).status).toBe(200)
      expect(await countHits(() => get(TOM))).toBe(0)
    }
    expect(await countHits(() => get(TOM))).toBe(1)
  })

  test.each(['', '.xml', '?values_format=all', '?values_format=by_field&by_field_types=all'])(
    'is stored for each form: %o',
    async (form) => {
      const path = `/artifacts/${id}${form}`
      const { text } = await get(TOM, path)
      await get(TOM, path)
      expect(await countHits(() => get(TOM, path))).toBe(1)
      expect((await get(TOM, path)).text).toBe(text)
    },
  )

  test.each(['?version=1', '?fields=id,title', '?tracker_structure_format=complete', '?max_bytes=500'])(
    'is never stored with %o',
    async (form) => {
      const read = () => get(TOM, `/artifacts/${id}${form}`)
      expect(await countHits(read, read, read, read)).toBe(0)
    },
  )

  test('is never stored for a viewer whose grant depends on people of the artifact', async () => {
    const partial = { ...ROOTS, permissions: { submitted_by_user: ['@registered'] } }
    const tracker = await makeTestTracker(api, { ...partial, label: 'Own', item_name: 'own' })
    const own = await api.post('/artifacts', {
      as: MARA,
      body: { tracker: { id: tracker.id }, values_by_field: { summary: 'Mine' } },
    })
    await api.put(`/artifacts/${id}`, {
      as: MARA,
      body: { values_by_field: { links: { links: [{ id: own.json.id, type: '' }] } } },
    })
    expect(
      await countHits(
        () => get(UMA),
        () => get(UMA),
        () => get(UMA),
      ),
    ).toBe(0)
  })
})

describe('the memory of representations', () => {
  const basis = {
    versions: '1',
    rights: 'all',
    extent: 'near',
    settings: context.settings.current,
    trackers: [],
    valid: { snapshot: '10:10:' },
  } as const
  const tracker = toId<TrackerId>(1)
  const create = (WAYPOST_CACHE_MIB: number) =>
    createRepresentationCache({ WAYPOST_CACHE_MIB }, context.db, context.incomingReferences)

  test('drops bodies before their Etags, and never exceeds its limit', () => {
    const cache = create(1)
    for (let number = 0; number < 200; number++)
      cache.store(`${number}`, 'rights', tracker, {
        ...basis,
        etag: `"${number}"`,
        lastModified: undefined,
        body: Buffer.alloc(10_000),
      })
    expect(cache.state().bytes).toBeLessThanOrEqual(1024 * 1024)
    expect(cache.find('0', 'rights')).toEqual({ ...basis, etag: '"0"', lastModified: undefined })
    expect(cache.find('199', 'rights')).toMatchObject({ etag: '"199"', body: Buffer.alloc(10_000) })
  })

  test('is off with 0 MiB', () => {
    expect(create(0).isOn).toBe(false)
  })
})
