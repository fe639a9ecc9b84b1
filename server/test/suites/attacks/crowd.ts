import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { formatAccessKey } from '../../../src/accounts/access-keys/access-key.ts'
import { print } from '../../../src/commands/print.ts'
import type { Db } from '../../../src/platform/database/db.ts'
import { toId } from '../../../src/platform/database/ids.ts'
import { sha256 } from '../../../src/platform/operation/secrets.ts'
import { writeInBulk } from '../../fixtures/bulk.ts'
import type { TestClient } from '../../harness/client.ts'
import { withIsolatedEnvironment } from '../../harness/isolated-environment.ts'
import { BUGS, ORCHARD } from '../../fixtures/seed-ids.ts'
import { type CrowdFigures, usePlatform } from './crowd-people.ts'
import type { HostilePlan, HostileReport } from './crowd-plan.ts'
import { parentOf, processorSeconds, readStolenTime } from './crowd-processes.ts'

const HOSTILE = fileURLToPath(new URL('crowd-hostile.ts', import.meta.url))
const FIRST_ACCOUNT = 31_000
const FIRST_KEY = 32_000
const MAX_SLOWER = 2
const CLOSED_PORT = 'http://127.0.0.1:9'
const WARM_UP_SECONDS = 3

export interface CrowdOptions {
  readonly seconds: number
  readonly quietSeconds: number
  readonly seed: number
  readonly people: number
  readonly hostileConnections: number
  readonly hostileAddresses: number
  readonly hostileAccounts: number
  readonly floodConnections: number
  readonly pauseMs: number
  readonly artifacts: number
  readonly only: string
  /** The hostile clients connect to a closed port. */
  readonly floor?: boolean
}

export interface CrowdResult {
  readonly quiet: CrowdFigures
  readonly crowded: CrowdFigures
  readonly hostile: HostileReport
  /** Of the crowded time. */
  readonly eventLoop: string
  /** Processor time that the host gave to others: it makes both times longer. */
  readonly stolen: string
}

/** The limits and roles that an installation has by default. */
const DEFAULTS = {
  WAYPOST_RATE_LIMIT_FACTOR: '1',
  WAYPOST_ROLES: 'api,worker',
  WAYPOST_LOG_LEVEL: 'info',
}

/** `npm run attacks -- --crowd`: prints the figures. Resolves with 1 where they miss their limits. */
export async function runCrowd(options: CrowdOptions): Promise<number> {
  return withIsolatedEnvironment({ name: 'crowd', servers: 1, environment: DEFAULTS }, async ({ apis, pids, db }) => {
    const [[api], [server]] = [apis, pids]
    if (!api || server === undefined) throw new Error('There is no server.')
    const database = await findPostmaster(db)
    const sides = { server, database, people: process.pid }
    const before = new Map<string, number>()
    const result = await measureCrowd(api, db, options, () => {
      for (const [side, pid] of Object.entries(sides)) before.set(side, processorSeconds(pid))
    })
    const used = Object.entries(sides).map(
      ([side, pid]) => [side, processorSeconds(pid) - (before.get(side) ?? 0)] as const,
    )
    return report(result, options, new Map(used))
  })
}

function report(
  { quiet, crowded, hostile, eventLoop, stolen }: CrowdResult,
  options: CrowdOptions,
  used: Map<string, number>,
) {
  print(`seed ${options.seed}\nquiet:   ${describe(quiet)}\ncrowded: ${describe(crowded)}`)
  print('hostile answers by class:')
  for (const [kind, answers] of Object.entries(hostile.answers).toSorted(([one], [other]) => one.localeCompare(other)))
    print(
      `  ${kind.padEnd(16)} ${Object.entries(answers)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ')}`,
    )
  // The processes of people are the parents of the hostile ones, of the server and of the database.
  const sides = {
    server: used.get('server') ?? 0,
    database: used.get('database') ?? 0,
    hostile: hostile.processorSeconds,
  }
  print(
    `processor seconds in ${options.seconds} s: ${Object.entries(sides)
      .map(([side, seconds]) => `${side} ${seconds.toFixed(1)}`)
      .join(', ')}`,
  )
  print(`event loop of the server, crowded: ${eventLoop}`)
  print(`processor time taken by other guests of the host: ${stolen}`)
  for (const failure of [...quiet.failures, ...crowded.failures].slice(0, 20)) print(`  ${failure}`)
  const slower = crowded.p99 / quiet.p99
  const faults = [...quiet.failures, ...crowded.failures, ...quiet.unready, ...crowded.unready]
  const holds = slower <= MAX_SLOWER && faults.length === 0
  print(
    `p99 is ${slower.toFixed(2)} times that of the quiet time (at most ${MAX_SLOWER}): ${holds ? 'holds' : 'missed'}`,
  )
  return holds ? 0 : 1
}

/** Ordinary people by themselves, then the same people beside the hostile clients. */
export async function measureCrowd(
  api: TestClient,
  db: Db,
  options: CrowdOptions,
  crowdBegins: () => void = () => {},
): Promise<CrowdResult> {
  const { seed, people, hostileAccounts } = options
  await sql`update setting set version = version + 1, chosen = chosen || '{"registration":"open"}'`.execute(db)
  const keys = await addAccounts(db, people, hostileAccounts)
  await addArtifacts(api, options.artifacts)
  await sql`analyze`.execute(db)
  const ordinary = keys.slice(0, people)
  const began = readStolenTime()
  await usePlatform(api, ordinary, seed, WARM_UP_SECONDS) // The first requests fill caches.
  const quiet = await usePlatform(api, ordinary, seed, options.quietSeconds)
  const quietEnd = readStolenTime()
  await readEventLoop(api) // Resets what is measured.
  crowdBegins()
  const hostile = startHostile({
    origin: options.floor ? CLOSED_PORT : api.origin,
    seed,
    connections: options.hostileConnections,
    addresses: options.hostileAddresses,
    tracker: BUGS,
    keys: keys.slice(people),
    flood: options.floodConnections,
    pauseMs: options.pauseMs,
    only: options.only,
  })
  try {
    await hostile.started
    const crowded = await usePlatform(api, ordinary, seed + 1, options.seconds)
    const eventLoop = await readEventLoop(api)
    const stolen = [stolenShare(began, quietEnd), stolenShare(quietEnd, readStolenTime())].join(', crowded ')
    return { quiet, crowded, hostile: await hostile.end(), eventLoop, stolen: `quiet ${stolen}` }
  } finally {
    hostile.kill()
  }
}

/** At the lowest priority: hostile clients have processors of their own, and here they must not take the server's. */
function startHostile(plan: HostilePlan) {
  const words = ['-n', '19', process.execPath, HOSTILE, JSON.stringify(plan)]
  const child: ChildProcess = spawn('nice', words, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return {
    started: once(child, 'message'),
    async end(): Promise<HostileReport> {
      if (!child.connected) throw new Error('The process of the hostile clients has ended.')
      const answer = once(child, 'message')
      child.send('end')
      const [hostileReport] = await answer
      return hostileReport
    },
    kill: () => child.kill('SIGKILL'),
  }
}

function stolenShare(from: ReturnType<typeof readStolenTime>, to: ReturnType<typeof readStolenTime>): string {
  return `${((100 * (to.stolen - from.stolen)) / (to.all - from.all)).toFixed(0)} %`
}

async function readEventLoop(api: TestClient): Promise<string> {
  const { text } = await api.get('/metrics')
  const find = (name: string) => Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (.*)$`, 'm').exec(text)?.[1])
  return ['p50', 'p99', 'max'].map((name) => `${name} ${(find(name) * 1000).toFixed(0)} ms`).join(', ')
}

async function findPostmaster(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return parentOf(rows[0]?.pid ?? 0)
}

/** Accounts with an access key each, of which the first are members of a project; returns the keys. */
async function addAccounts(db: Db, people: number, hostile: number): Promise<string[]> {
  const secretOf = (index: number) => Buffer.alloc(32, (index % 250) + 1)
  const keys: string[] = []
  for (let index = 1; index <= people + hostile; index++) {
    const [account, key] = [FIRST_ACCOUNT + index, FIRST_KEY + index]
    await sql`
      with added as (
        insert into account (id, login, real_name, status, created_on)
        values (${account}, ${`crowd${index}`}, ${`Crowd ${index}`}, 'A', now()) returning id)
      insert into access_key (id, account_id, prefix, digest, scopes, created_on)
      select ${key}, id, 'tlp', ${sha256(secretOf(index))}, ${['write:rest']}, now() from added`.execute(db)
    if (index <= people)
      await sql`insert into project_member (project_id, account_id, is_admin, added_on)
        values (${ORCHARD}, ${account}, false, now())`.execute(db)
    keys.push(formatAccessKey({ prefix: 'tlp', id: toId(key), secret: secretOf(index) }))
  }
  return keys
}

/** Enough that an export is more than the buffers of its sockets hold. */
async function addArtifacts(api: TestClient, count: number): Promise<void> {
  const details = 'aaaa bbbb cccc '.repeat(300)
  for (let first = 0; first < count; first += 500) {
    const lines = Array.from({ length: Math.min(500, count - first) }, (_, index) => ({
      op: 'create',
      values_by_field: { summary: { value: `Bug ${first + index} ${'a'.repeat(60)}` }, details: { value: details } },
    }))
    const { done } = await writeInBulk(api, BUGS, lines)
    if (done?.failed !== 0) throw new Error(`Artifacts could not be written: ${JSON.stringify(done)}`)
  }
}

function describe({ requests, p50, p99, longest, failures, readinessChecks, unready }: CrowdFigures): string {
  const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(0)} ms`
  return `${requests} requests, ${times}, ${failures.length} failed; /readyz ${readinessChecks} times, not 200: ${unready.length}`
}
