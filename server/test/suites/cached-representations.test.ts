import { afterAll, expect, test } from 'vitest'
import type { EntryCache } from '../../src/artifacts/search/entry-cache.ts'
import { createSignIn } from '../../src/accounts/sign-in/sign-in.ts'
import { createContext } from '../../src/context.ts'
import { WEB_PAGES } from '../../src/pages.ts'
import { closePools } from '../../src/platform/database/pools.ts'
import { createServer } from '../../src/platform/http/http.ts'
import { ROUTES } from '../../src/routes.ts'
import { createTestClient } from '../harness/client.ts'
import { startWorld } from '../harness/start-world.ts'
import { isFull } from '../harness/test-level.ts'
import { playOperations } from './cached/play-operations.ts'

const OPERATIONS = isFull ? 5000 : 150
const MAX_PLANTED_OPERATIONS = 1000
const CACHE_MIB = 8
const TIMEOUT_MS = 600_000
const world = await startWorld()

type Plant = (statement: string) => string

/** A server on the database of this test; a planted fault changes the statements that read row versions. */
async function start(mebibytes: number, plant: Plant = (statement) => statement, keepsEntries = false) {
  const made = await createContext({ ...world.context.config, WAYPOST_CACHE_MIB: mebibytes })
  const { near, family } = made.representations.statements
  const plantIn = ({ none, access_key, session }: typeof near) => ({
    none: { ...none, sql: plant(none.sql) },
    access_key: { ...access_key, sql: plant(access_key.sql) },
    session: { ...session, sql: plant(session.sql) },
  })
  const planted = { near: plantIn(near), family: plantIn(family) }
  const listEntries = keepsEntries ? keepForever(made.listEntries) : made.listEntries
  const context = { ...made, listEntries, representations: { ...made.representations, statements: planted } }
  const server = createServer(context, createSignIn(context), ROUTES, WEB_PAGES)
  afterAll(async () => {
    server.server.closeAllConnections()
    await server.close()
    await closePools(context.pools)
  })
  return { context, client: createTestClient(await server.listen({ port: 0, host: '127.0.0.1' })) }
}

/** A planted fault: entries of lists are used without comparing any version. */
function keepForever(entries: EntryCache): EntryCache {
  const kept = new Map<string, Buffer>()
  return {
    ...entries,
    find: (form, id) => kept.get(`${id} ${form}`),
    store: (form, id, { bytes }) => kept.set(`${id} ${form}`, bytes),
  }
}

async function play(operations: number, plant?: Plant, only?: readonly string[], keepsEntries?: boolean) {
  const startCached = () => start(CACHE_MIB, plant, keepsEntries)
  const [one, other, fresh] = [await startCached(), await startCached(), await start(0)]
  const reported: string[] = []
  const result = await playOperations({
    cached: [one.client, other.client],
    fresh: fresh.client,
    seed: '1',
    operations,
    maxDifferences: 1,
    ...(only && { only }),
    tell: (difference) => reported.push(difference),
  })
  const states = [one, other, fresh].map(({ context }) => context.representations.state())
  return { ...result, reported, states, entries: one.context.listEntries.state() }
}

test(
  'responses from a cache are those of a server without one, whatever is written',
  async () => {
    const { reported, kinds, states, entries } = await play(OPERATIONS)
    expect(reported).toEqual([])
    const neverDone = [...kinds].filter(([, { made, refused }]) => made > 7 && made === refused)
    expect(neverDone).toEqual([])
    const [one, other, fresh] = states
    expect(Math.min(one?.hits ?? 0, other?.hits ?? 0)).toBeGreaterThan(OPERATIONS / 20)
    expect(fresh).toEqual({ hits: 0, misses: 0, bytes: 0 })
    expect(entries.hits).toBeGreaterThan(OPERATIONS / 20)
  },
  TIMEOUT_MS,
)

test.each([['title'], ['people', 'name of a person'], ['names of a tracker']])(
  'a planted fault is found: entries of lists are not compared after a change of %s',
  async (...kinds) => {
    const { reported } = await play(MAX_PLANTED_OPERATIONS, undefined, kinds, true)
    expect(reported).not.toEqual([])
  },
  TIMEOUT_MS,
)

interface PlantedFault {
  readonly fault: string
  readonly plant: Plant
  /** Operations that show it; others only take longer. */
  readonly only: readonly string[]
}

const PLANTED: readonly PlantedFault[] = [
  {
    fault: 'links, references and their other ends are not compared',
    plant: (text) => text.replace('from ends)', 'from ends where false)'),
    only: ['reverse link', 'links', 'delete', 'restore', 'restriction'],
  },
  {
    fault: 'people are not compared',
    plant: (text) => text.replace('account.id = any(', 'false and account.id = any('),
    only: ['people', 'name of a person'],
  },
  {
    fault: 'the artifact itself is not compared',
    plant: (text) => text.replace('artifact.xmin as row_version', '0 as row_version'),
    only: ['title', 'number'],
  },
  {
    fault: 'trackers, projects and rights are not compared',
    plant: (text) => text.replace('from tracker join', 'from (select * from tracker where false) tracker join'),
    only: ['members of a project', 'access to a project', 'permissions of a field', 'names of a tracker'],
  },
]

test.each(PLANTED)(
  'a planted fault is found: $fault',
  async ({ plant, only }) => {
    const { near } = world.context.representations.statements
    expect(plant(near.access_key.sql)).not.toBe(near.access_key.sql)
    const { reported } = await play(MAX_PLANTED_OPERATIONS, plant, only)
    expect(reported).not.toEqual([])
  },
  TIMEOUT_MS,
)
