import { afterAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { createSignIn } from '../../src/accounts/sign-in/sign-in.ts'
import { createContext } from '../../src/context.ts'
import { WEB_PAGES } from '../../src/pages.ts'
import { closePools } from '../../src/platform/database/pools.ts'
import { createServer } from '../../src/platform/http/http.ts'
import { ROUTES } from '../../src/routes.ts'
import { makeTestArtifact, makeTestTracker } from '../fixtures/every-field.ts'
import { ROOTS } from '../fixtures/linked-trackers.ts'
import { MARA, TOM } from '../fixtures/people.ts'
import { createTestClient } from '../harness/client.ts'
import { ignoreSnapshots } from '../harness/ignore-snapshots.ts'
import { startWorld } from '../harness/start-world.ts'
import { createRepeatableRandom } from './fuzz/random.ts'
import { CACHED_OPERATIONS } from './cached/operations.ts'
import { CACHED_VIEWERS, makeCachedScene } from './cached/scene.ts'
import { startRecorder } from './sql/record-statements.ts'

/**
 * Every table that GET /artifacts/{id} reads, and why a stored response is never used after a change of it: `rows`, the
 * versions of its rows are compared; `access version`, every write to it moves a `rights_epoch` or a `version` that is
 * compared; `each request`, it is read before the cache is asked; `not stored`, its readers' responses are not stored.
 */
const TABLES: Readonly<Record<string, 'rows' | 'access version' | 'each request' | 'not stored'>> = {
  artifact: 'rows',
  artifact_link: 'rows',
  artifact_reference: 'rows',
  changeset: 'rows',
  account: 'rows',
  file: 'rows',
  tracker: 'rows',
  project: 'rows',
  tracker_grant: 'access version',
  user_group: 'access version',
  user_group_member: 'access version',
  project_member: 'access version',
  back_fill: 'access version',
  access_key: 'each request',
  setting: 'each request',
  repository_reference: 'not stored',
  repository: 'not stored',
  project_service: 'not stored',
}

const TIMEOUT_MS = 120_000
const recorder = startRecorder()
afterAll(() => recorder.stop())
const world = await startWorld({ environment: { WAYPOST_CACHE_MIB: '0' } })

test('GET /artifacts/{id} reads no other table than those that a stored response is validated by', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { api, context } = world
  const scene = await makeCachedScene(api)
  for (const kind of ['reference', 'comment', 'people', 'links', 'file'])
    for (let attempt = 0; attempt < 4; attempt++)
      await CACHED_OPERATIONS[kind]?.({ api, scene, random: createRepeatableRandom(`${kind} ${attempt}`) })
  const { api: cold } = await world.startAnother()
  const sent = await recorder.record(async () => {
    for (const as of CACHED_VIEWERS)
      for (const id of scene.artifacts) await cold.get(`/artifacts/${id}?values_format=all`, { ...(as && { as }) })
  })
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(context.db)
  const reads = (text: string) => rows.map(({ name }) => name).filter((name) => readsTable(text, name))
  const read = new Set(sent.filter(({ text }) => /^\s*(?:select|with)/.test(text)).flatMap(({ text }) => reads(text)))
  expect([...read].toSorted()).toEqual(Object.keys(TABLES).toSorted())
  const compared = new Set(reads(context.representations.statements.near.access_key.sql))
  const rowTables = Object.keys(TABLES).filter((name) => TABLES[name] === 'rows')
  expect(rowTables.filter((name) => !compared.has(name))).toEqual([])
  // Their rows are looked for, not compared: if there is one, the response is not stored.
  expect(compared).toContain('repository_reference')
})

test('a hidden artifact takes as many statements as an absent one, also after other people have read it', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { api } = world
  const hidden = await makeTestArtifact(api, await makeTestTracker(api, ROOTS), { summary: 'Hidden' })
  const { api: caching, context } = await startCaching()
  ignoreSnapshots(context)
  for (let count = 0; count < 3; count++) await caching.get(`/artifacts/${hidden}`, { as: MARA })
  expect(context.representations.state().hits).toBe(1)
  const count = async (id: number) =>
    (await recorder.record(async () => expect((await caching.get(`/artifacts/${id}`, { as: TOM })).status).toBe(404)))
      .length
  await count(hidden) // The first request of Tom also stores the use of the key; after the second the sign-in is recalled.
  await count(hidden)
  expect(await count(hidden)).toBe(await count(999_999))
})

async function startCaching() {
  const context = await createContext({ ...world.context.config, WAYPOST_CACHE_MIB: 8 }, world.clock)
  const server = createServer(context, createSignIn(context), ROUTES, WEB_PAGES)
  afterAll(async () => {
    server.server.closeAllConnections()
    await server.close()
    await closePools(context.pools)
  })
  return { context, api: createTestClient(await server.listen({ port: 0, host: '127.0.0.1' })) }
}

function readsTable(text: string, name: string): boolean {
  return new RegExp(`(?:\\bfrom|\\bjoin|,)\\s+(?:public\\.)?"?${name}"?\\b(?!\\.)`, 'i').test(text)
}
