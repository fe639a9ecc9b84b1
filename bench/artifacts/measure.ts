import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { print } from '../../server/src/commands/print.ts'
import type { ServerProcess } from '../../server/test/harness/server-process.ts'
import { type BulkFigure, measureBulk } from './bulk.ts'
import type { Script } from './capture.ts'
import type { Cluster } from './cluster.ts'
import { findPgbench, measureEngine, type PlanMode, PLANS as PLAN_MODES } from './engine.ts'
import type { LoadOrder, LoadOutcome } from './load.ts'
import type { BenchOperation } from './operations.ts'
import { median } from '../../server/test/harness/median.ts'
import { medianOf, round, spreadOf } from '../quantiles.ts'
import { type EngineScripts, rowScriptOf } from './script.ts'
import { startMeasured } from './server.ts'
import { createViewerKeys } from './keys.ts'
import { givePassword } from './sign-in.ts'
import type { Role } from '../../server/src/commands/bench-data/bench-tracker.ts'

export interface Times {
  /** The duration of each part of a measurement. */
  readonly seconds: number
  /** The maximum duration of the warm-up before each part. */
  readonly warmUp: number
  /** The number of alternations between engine and server. */
  readonly turns: number
  /** The number of artifacts for the bulk route. */
  readonly bulk: number
  /** The number of callers of a skewed load. */
  readonly viewers: number
}

export interface Figure {
  readonly operation: string
  readonly role: Role
  /** Requests per second: median, minimum and maximum of the rounds. */
  readonly per_second: number
  readonly spread: readonly [number, number]
  /** Latency of an open loop at half that rate. */
  readonly p50_ms: number
  readonly p95_ms: number
  readonly p99_ms: number
  /** The same statements by pgbench. */
  readonly engine: number | null
  readonly engine_spread: readonly [number, number] | null
  /** The faster plan cache mode of the engine. */
  readonly engine_plan: PlanMode | null
  readonly main_ratio: number | null
  /** Only the row access, by pgbench. */
  readonly row: number | null
  readonly row_ratio: number | null
  /** In processors. */
  readonly server_cpu: number | null
  readonly database_cpu: number | null
  /** CPU time per request. */
  readonly server_ms: number | null
  readonly database_ms: number | null
  /** False if a rate was still changing at the end of a warm-up. */
  readonly is_stable: boolean
}

interface Plan {
  readonly name: string
  readonly operation: BenchOperation
  readonly role: Role
  /** The statements for the engine; absent: the engine is not measured. */
  readonly script?: Script
  /** True if the engine is measured for it; else the figure of the same script is reused. */
  readonly hasTurns: boolean
}

const PLANS: readonly Plan[] = [
  { name: 'GET /artifacts/{id}', operation: 'get', role: 'member', script: 'get-member', hasTurns: true },
  { name: 'GET, If-None-Match: 304', operation: 'not-modified', role: 'member', script: 'get-member', hasTurns: false },
  { name: 'GET, skewed', operation: 'get-skewed', role: 'member', hasTurns: false },
  { name: 'GET, If-None-Match: 304, skewed', operation: 'not-modified-skewed', role: 'member', hasTurns: false },
  { name: '90 % GET, 10 % PUT, skewed', operation: 'mixed-skewed', role: 'member', hasTurns: false },
  { name: 'GET, XML', operation: 'xml', role: 'member', script: 'get-member', hasTurns: false },
  { name: 'GET /artifacts/{id}', operation: 'get', role: 'group', script: 'get-group', hasTurns: true },
  { name: 'GET /artifacts/{id}', operation: 'get', role: 'admin', script: 'get-admin', hasTurns: true },
  { name: 'PUT, If-Match', operation: 'put', role: 'member', script: 'put', hasTurns: true },
  { name: 'POST /artifacts', operation: 'post', role: 'member', script: 'post', hasTurns: true },
  { name: 'GET /users/self, by key', operation: 'key', role: 'member', hasTurns: false },
  { name: 'GET /users/self, by token', operation: 'token', role: 'member', hasTurns: false },
  { name: 'GET /users/self, by password', operation: 'basic', role: 'member', hasTurns: false },
]

export const CONNECTIONS = 8
const LOAD = fileURLToPath(new URL('load.ts', import.meta.url))

interface Measured {
  readonly figures: Figure[]
  readonly bulk: BulkFigure | null
}

/** Measures engine and server alternately, so that fluctuations of the machine affect both. */
export async function measureOperations(
  cluster: Cluster,
  statements: EngineScripts,
  times: Times,
  only: readonly string[],
): Promise<Measured> {
  const isWanted = (name: string) => only.length === 0 || only.includes(name)
  const pgbench = await findPgbench()
  if (pgbench === undefined) print('pgbench is not here (Debian has it in postgresql-15): the engine is left out.')
  await givePassword(cluster)
  await createViewerKeys(cluster.ownerUrl, cluster.ids, times.viewers)
  const server = await startMeasured(cluster.serverUrl)
  try {
    const figures: Figure[] = []
    const engines = new Map<Script, Engine>()
    for (const plan of PLANS) {
      if (!isWanted(plan.operation)) continue
      figures.push(await measureOne(plan, { cluster, times, server, pgbench, statements, engines }))
    }
    const bulk = isWanted('bulk') ? await measureBulk(cluster, server, times.bulk) : null
    return { figures, bulk }
  } finally {
    await server.stop()
    await deleteCreatedArtifacts(cluster)
  }
}

interface Engine {
  /** The faster mode, because the server may choose it too. */
  plan: PlanMode | undefined
  readonly rates: number[]
  readonly rows: number[]
}

interface Surroundings {
  readonly cluster: Cluster
  readonly times: Times
  readonly server: ServerProcess
  readonly pgbench: string | undefined
  readonly statements: EngineScripts
  readonly engines: Map<Script, Engine>
}

async function measureOne(plan: Plan, surroundings: Surroundings): Promise<Figure> {
  const { times, engines } = surroundings
  const { script } = plan
  const engine = (!plan.hasTurns && script && engines.get(script)) || newEngine()
  const outcomes: LoadOutcome[] = []
  const turns = plan.hasTurns && plan.role === 'member' ? times.turns : 1
  for (let turn = 0; turn < turns; turn++) {
    if (plan.hasTurns && script) await measureBoth(script, engine, surroundings)
    outcomes.push(await load(plan, surroundings, { ...paceOf(times), seed: turn }))
  }
  if (plan.hasTurns && script && !isBrief(times)) await measureBoth(script, engine, surroundings)
  if (script) engines.set(script, engine)
  const rates = outcomes.map(({ perSecond }) => perSecond)
  const perSecond = median(rates)
  const [first] = outcomes
  const open =
    isBrief(times) && first
      ? first
      : await load(plan, surroundings, { ...paceOf(times), seed: turns, rate: perSecond / 2 })
  const hasEngine = engine.rates.length > 0
  const figure: Figure = {
    operation: plan.name,
    role: plan.role,
    per_second: round(perSecond),
    spread: spreadOf(rates),
    p50_ms: round(open.p50),
    p95_ms: round(open.p95),
    p99_ms: round(open.p99),
    engine: hasEngine ? round(median(engine.rates)) : null,
    engine_spread: hasEngine ? spreadOf(engine.rates) : null,
    engine_plan: engine.plan ?? null,
    main_ratio: hasEngine ? round(perSecond / median(engine.rates)) : null,
    row: hasEngine ? round(median(engine.rows)) : null,
    row_ratio: hasEngine ? round(perSecond / median(engine.rows)) : null,
    server_cpu: medianOf(outcomes.map((each) => each.server)),
    database_cpu: medianOf(outcomes.map((each) => each.database)),
    server_ms: medianOf(outcomes.map((each) => each.serverMs)),
    database_ms: medianOf(outcomes.map((each) => each.databaseMs)),
    is_stable: outcomes.every((each) => each.isStable),
  }
  print(JSON.stringify(figure))
  return figure
}

function paceOf({ warmUp, seconds, viewers }: Times) {
  return { warmUp, seconds, viewers }
}

const TRIAL_SECONDS = 2

/** Short runs measure the engine once, and take latencies from the closed loop. */
function isBrief({ seconds }: Times): boolean {
  return seconds <= TRIAL_SECONDS
}

function newEngine(): Engine {
  return { plan: undefined, rates: [], rows: [] }
}

async function measureBoth(
  script: Script,
  engine: Engine,
  { pgbench, cluster, times, statements }: Surroundings,
): Promise<void> {
  if (pgbench === undefined) return
  const run = (seconds: number, plan: PlanMode) =>
    measureEngine(pgbench, cluster.postgres, statements[script], seconds, plan)
  if (engine.plan === undefined) {
    const tried = new Map<PlanMode, number>()
    for (const mode of isBrief(times) ? PLAN_MODES.slice(0, 1) : PLAN_MODES)
      tried.set(mode, await run(Math.min(TRIAL_SECONDS, times.seconds), mode))
    const best = Math.max(...tried.values())
    engine.plan = PLAN_MODES.find((mode) => tried.get(mode) === best)
    if (isBrief(times)) engine.rates.push(best)
  }
  if (!isBrief(times)) engine.rates.push(await run(times.seconds, engine.plan ?? 'auto'))
  const row = rowScriptOf(script, cluster.ids, cluster.size)
  engine.rows.push(await measureEngine(pgbench, cluster.postgres, row, Math.ceil(times.seconds / 2)))
}

/** Runs a load generator in its own process. */
export async function load(
  { operation, role, questions }: Pick<LoadOrder, 'operation' | 'role' | 'questions'>,
  { cluster, server }: Pick<Surroundings, 'cluster' | 'server'>,
  pace: Pick<LoadOrder, 'warmUp' | 'seconds' | 'rate'> & Partial<Pick<LoadOrder, 'seed' | 'viewers'>>,
): Promise<LoadOutcome> {
  const { hostname: host, port } = new URL(server.api.origin)
  const { size, ids, appUrl: databaseUrl } = cluster
  const order: LoadOrder = {
    operation,
    role,
    ...(questions && { questions }),
    size,
    ids,
    databaseUrl,
    host,
    port: Number(port),
    connections: CONNECTIONS,
    serverProcess: server.pid,
    databaseProcess: cluster.pid,
    seed: 0,
    viewers: 1,
    ...pace,
  }
  const child = spawn(process.execPath, [LOAD], { stdio: ['pipe', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stdin.end(JSON.stringify(order))
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`The load generator failed. The server said: ${server.output()}`)
  const outcome: LoadOutcome = JSON.parse(said)
  return outcome
}

/** Deletes the artifacts that the measurement created, so that the next run finds the same data. */
export async function deleteCreatedArtifacts({ ownerUrl, size, ids }: Cluster): Promise<void> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  const tables = ['artifact_reference', 'artifact_link', 'number_index', 'value_index', 'artifact_words', 'changeset']
  for (const table of tables)
    await client.query(`delete from ${table} where ${table === 'artifact_link' ? 'source_id' : 'artifact_id'} > $1`, [
      size,
    ])
  await client.query('delete from artifact where id > $1', [size])
  await client.query('delete from tracker_total_change where tracker_id = $1', [ids.tracker])
  await client.query('update tracker_total set last_number = $1, artifacts = $1 where tracker_id = $2', [
    size,
    ids.tracker,
  ])
  await client.query('truncate event, event_position')
  await client.query('vacuum analyze')
  await client.end()
}
