import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { APP_ROLE, type LocalPostgres } from '../../server/src/platform/database/local-postgres.ts'
import { findBinaries } from '../../server/src/platform/database/postgres-binaries.ts'
import { DATABASE } from './cluster.ts'
import { type EngineScript, UNCOUNTED } from './script.ts'

const run = promisify(execFile)
const CLIENTS = 8

/** The plan cache modes of PostgreSQL for prepared statements. */
export const PLANS = ['auto', 'force_generic_plan'] as const
export type PlanMode = (typeof PLANS)[number]

/** The path of pgbench; not every PostgreSQL package includes it. */
export async function findPgbench(): Promise<string | undefined> {
  const places = [await findBinaries(undefined), ...(process.env['PATH'] ?? '').split(delimiter)]
  return places.map((each) => join(each, 'pgbench')).find((each) => existsSync(each))
}

/** Transactions per second of PostgreSQL alone, with the same number of clients. */
export async function measureEngine(
  pgbench: string,
  { host, port }: Pick<LocalPostgres, 'host' | 'port'>,
  { text, bound }: EngineScript,
  seconds: number,
  plan: PlanMode = 'auto',
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-engine-'))
  const file = join(folder, 'script.sql')
  await writeFile(file, text)
  const variables = Object.entries(bound).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const options = ['-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(seconds), '-n', '-f', file]
  const reports = text.includes(UNCOUNTED) ? ['-r'] : []
  const place = ['-h', host, '-p', String(port), '-U', APP_ROLE, DATABASE]
  try {
    const env = { ...process.env, PGOPTIONS: `-c plan_cache_mode=${plan}` }
    const { stdout } = await run(pgbench, [...options, ...reports, ...variables, ...place], { env, maxBuffer: 1e8 })
    return rateIn(stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Without the time of statements that only the engine has to run. */
function rateIn(report: string): number {
  const rate = Number(/^tps = ([\d.]+)/m.exec(report)?.[1])
  const latency = Number(/^latency average = ([\d.]+) ms/m.exec(report)?.[1])
  if (!(rate > 0)) throw new Error(`pgbench said:\n${report}`)
  const line = report.split('\n').find((each) => each.includes(UNCOUNTED))
  const uncounted = Number(/^\s*([\d.]+)/.exec(line ?? '')?.[1] ?? 0)
  return (rate * latency) / (latency - uncounted)
}
