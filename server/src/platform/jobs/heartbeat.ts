import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../database/db.ts'
import { VERSION } from '../openapi/version.ts'

declare module '../database/db.ts' {
  interface Tables {
    worker_heartbeat: { id: string; host: string; pid: number; version: string; started_on: Date; seen_on: Date }
  }
}

const HEARTBEAT_INTERVAL_MS = 10_000
/** A worker that was not seen for so long counts as absent. */
export const MAX_HEARTBEAT_AGE_S = 60

export interface Heartbeat {
  /** Stops, and removes the row, so that a worker that was stopped is not missed. */
  end(): Promise<void>
}

/** Stores a sign of life at once and then regularly. Times are those of the database, which all processes share. */
export async function startHeartbeat(
  db: Db,
  log: Pick<Logger, 'warn'>,
  intervalMs = HEARTBEAT_INTERVAL_MS,
): Promise<Heartbeat> {
  const id = randomUUID()
  const beat = () =>
    recordHeartbeat(db, id).catch((error: unknown) => log.warn({ err: error }, 'no heartbeat could be stored'))
  let running = beat()
  await running
  const timer = setInterval(() => {
    running = beat()
  }, intervalMs)
  return {
    async end() {
      clearInterval(timer)
      await running
      await sql`delete from worker_heartbeat where id = ${id}`.execute(db).catch(() => {}) // It expires.
    },
  }
}

/** Rows of dead workers are kept for a day: they tell when the last one was seen. */
async function recordHeartbeat(db: Db, id: string): Promise<void> {
  await sql`
    with expired as (delete from worker_heartbeat where seen_on < now() - interval '1 day' and id <> ${id})
    insert into worker_heartbeat (id, host, pid, version) values (${id}, ${hostname()}, ${process.pid}, ${VERSION})
    on conflict (id) do update set seen_on = now()`.execute(db)
}

export interface WorkerPresence {
  /** Workers that were seen in the last minute. */
  readonly workers: number
  /** Since the last sign of life; null: there is none. */
  readonly age_s: number | null
}

export async function measureWorkerPresence(db: Db): Promise<WorkerPresence> {
  const { rows } = await sql<WorkerPresence>`
    select count(*) filter (where seen_on > now() - make_interval(secs => ${MAX_HEARTBEAT_AGE_S})) as workers,
      extract(epoch from clock_timestamp() - max(seen_on))::float8 as age_s from worker_heartbeat`.execute(db)
  return rows[0] ?? { workers: 0, age_s: null }
}
