import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { seedAccounts } from '../accounts/seed-accounts.ts'
import {
  BENCH_DEFINITION,
  GROUPS,
  LINK_TYPE,
  BENCH_PEOPLE_COUNT,
  BENCH_PROJECT,
  BENCH_TAG_COUNT,
} from './bench-data/bench-tracker.ts'
import { SEED } from './bench-data/chance.ts'
import { countLoaded, hasArtifacts, summarizeLoaded } from '../artifacts/loading/load-artifacts.ts'
import { type Ids, type Installed, tagLabel, versionsAt } from './bench-data/generate-artifact.ts'
import { dropIndexes, rebuildIndexes } from '../artifacts/loading/rebuild-indexes.ts'
import { TABLES } from '../artifacts/loading/artifact-rows.ts'
import { createContext } from '../context.ts'
import { toId } from '../platform/database/ids.ts'
import { readConfig } from '../platform/operation/config.ts'
import { seedProject } from '../projects/seed-project.ts'
import { createTracker } from '../trackers/create-tracker.ts'
import { type LoadedTracker, loadTracker } from '../trackers/load-tracker.ts'
import { hasOpenValues, seedLinkType, seedOpenValues } from '../trackers/seed-tracker.ts'
import { callRoute, OPERATOR } from './call-route.ts'
import { print } from './print.ts'
import { closePools } from '../platform/database/pools.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Required by the layout (`bench-data/layout.ts`). */
export const ARTIFACT_COUNT_STEP = 10_000
const LOAD_BATCH_SIZE = 2000
/** Below this, another loader does not pay off: it takes a second to start. */
const ARTIFACTS_PER_LOADER = 20_000
const MAX_INDEX_BUILDERS = 4

/** A batch to load; bounds memory use. */
export interface Batch {
  /** The total number of artifacts. */
  readonly size: number
  readonly first: number
  readonly count: number
  /** The id of the first changeset of the batch. */
  readonly changesetId: number
  /** The number of changesets of the batch. */
  readonly changesets: number
}

/** One tracker full of artifacts, with the users, groups and permissions that they need. Deterministic by `SEED`. */
export async function seedBenchArtifacts(
  environment: Environment,
  size: number,
  progress: (done: number) => void,
): Promise<Installed> {
  if (size % ARTIFACT_COUNT_STEP !== 0)
    throw new Error(`The number of artifacts must be a multiple of ${ARTIFACT_COUNT_STEP}.`)
  const owner = new Client({ connectionString: ownerUrl(environment) })
  await owner.connect()
  try {
    if ((await hasArtifacts(owner)) || (await hasOpenValues(owner)))
      throw new Error('There are artifacts already: seed a new database.')
    const installed = await installBenchTracker(environment, owner)
    const began = performance.now()
    const tables = [...TABLES, 'artifact_summary']
    const dropped = await dropIndexes(owner, tables)
    const changesets = await load(environment, installed.ids, size, progress)
    await summarizeLoaded(owner)
    const loaded = performance.now()
    const others = await connectAll(ownerUrl(environment), Math.min(MAX_INDEX_BUILDERS, availableParallelism()) - 1)
    try {
      await rebuildIndexes([owner, ...others], dropped, tables)
    } finally {
      for (const client of others) await client.end()
    }
    await countLoaded(owner, installed, { artifacts: size, changesets })
    await owner.query('analyze')
    print(speedOf(size, { loading: loaded - began, indexing: performance.now() - loaded }))
    return installed
  } finally {
    await owner.end()
  }
}

function speedOf(size: number, { loading, indexing }: { loading: number; indexing: number }): string {
  const rate = (milliseconds: number) => Math.round((1000 * size) / milliseconds)
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1)
  return `${size} artifacts in ${seconds(loading + indexing)} s, ${rate(loading + indexing)}/s: loaded in ${seconds(
    loading,
  )} s (${rate(loading)}/s), indexed in ${seconds(indexing)} s.`
}

export function ownerUrl(environment: Environment): string {
  const { WAYPOST_DATABASE_URL, WAYPOST_MIGRATE_URL } = readConfig(environment)
  return WAYPOST_MIGRATE_URL || WAYPOST_DATABASE_URL
}

/** Users, groups, the project and the tracker, which is created through the API route. */
async function installBenchTracker(environment: Environment, owner: Client): Promise<Installed> {
  const context = await createContext(readConfig(environment))
  try {
    const firstPerson = await seedAccounts(owner, BENCH_PEOPLE_COUNT, SEED, () => {})
    const people = { first: firstPerson, count: BENCH_PEOPLE_COUNT }
    const project = await seedProject(owner, { shortname: BENCH_PROJECT, label: 'Bench', people, groups: GROUPS })
    await seedLinkType(owner, LINK_TYPE)
    const made = await callRoute(context, createTracker, OPERATOR, {
      params: { id: project.id },
      body: BENCH_DEFINITION,
    })
    const tracker = await loadTracker(context.db, toId(idIn(made)))
    if (!tracker) throw new Error('The tracker was not made.')
    const ids = idsOf(tracker, firstPerson, project.groups.get('blue') ?? 0)
    const tags = Array.from({ length: BENCH_TAG_COUNT }, (_, at) => tagLabel(at))
    const field = { project: project.id, tracker: tracker.id, id: ids.fields['tags'] ?? 0 }
    await seedOpenValues(owner, field, tags)
    return { ids, tracker, referenceKinds: context.referenceKinds }
  } finally {
    await closePools(context.pools)
  }
}

const LOADER = fileURLToPath(new URL('seed-loader.ts', import.meta.url))

/**
 * Generating artifacts uses as much CPU as storing them, so several processes do both. Returns the number of
 * changesets.
 */
async function load(
  environment: Environment,
  ids: Ids,
  size: number,
  progress: (done: number) => void,
): Promise<number> {
  const count = Math.min(availableParallelism() + 1, Math.ceil(size / ARTIFACTS_PER_LOADER))
  const loaders = Array.from({ length: count }, () => fork(LOADER, [JSON.stringify(ids)], { env: { ...environment } }))
  const batches = batchesOf(size)
  let [done, changesets] = [0, 0]
  try {
    await Promise.all(
      loaders.map(async (loader) => {
        for (const batch of batches) {
          await storeBatch(loader, batch)
          changesets += batch.changesets
          progress((done += batch.count))
        }
      }),
    )
  } finally {
    for (const loader of loaders) loader.kill()
  }
  return changesets
}

function* batchesOf(size: number): Generator<Batch> {
  let changesetId = 1
  for (let first = 0; first < size; first += LOAD_BATCH_SIZE) {
    const count = Math.min(LOAD_BATCH_SIZE, size - first)
    let changesets = 0
    for (let place = first; place < first + count; place++) changesets += versionsAt(place)
    yield { size, first, count, changesetId, changesets }
    changesetId += changesets
  }
}

async function storeBatch(loader: ChildProcess, batch: Batch): Promise<void> {
  const answer = new AbortController()
  try {
    const said = once(loader, 'message', answer).then(() => true)
    const ended = once(loader, 'exit', answer).then(() => false)
    loader.send(batch)
    if (!(await Promise.race([said, ended]))) throw new Error('A process that loads artifacts has ended.')
  } finally {
    answer.abort()
  }
}

async function connectAll(connectionString: string, count: number): Promise<Client[]> {
  const clients = Array.from({ length: count }, () => new Client({ connectionString }))
  await Promise.all(clients.map((client) => client.connect()))
  return clients
}

function idIn(answer: unknown): number {
  const id = typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : undefined
  if (typeof id !== 'number') throw new Error('The tracker was not made.')
  return id
}

function idsOf(tracker: LoadedTracker, firstPerson: number, blue: number): Ids {
  return {
    project: tracker.project_id,
    tracker: tracker.id,
    fields: Object.fromEntries(tracker.elements.map(({ name, id }) => [name, id])),
    values: Object.fromEntries(
      tracker.elements.map(({ name, bind }) => [name, bind?.type === 'static' ? bind.values.map(({ id }) => id) : []]),
    ),
    firstPerson,
    blue,
  }
}
