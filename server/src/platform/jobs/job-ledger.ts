import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/db.ts'
import { type JobAttempt, type JobState, type NewJob, requeueJob } from './jobs.ts'
import { allOf, type TimeRange, isWithinRange } from '../database/conditions.ts'
import type { Pagination } from '../http/pages.ts'

export interface LedgerEntry {
  id: number
  type: string
  state: JobState
  attempts: number
  max_attempts: number
  object: string | null
  created_on: Date
  run_after: Date | null
  last_error: string | null
  request_id: string | null
}

interface JobFilter extends TimeRange {
  state?: JobState | undefined
  type?: string | undefined
}

// Without the payload, which may contain data that administrators need not read.
const columns = sql`id, type, state, attempts, max_attempts, object, created_on, run_after, last_error, request_id`

/** A page plus one row, newest first. One statement, so that size and rows are of one snapshot. */
export async function listLedgerEntries(
  db: Db,
  filter: JobFilter,
  { limit, offset, after }: Pagination,
): Promise<{ rows: LedgerEntry[]; size: number }> {
  const fits = conditions(filter)
  const begin = after ? sql`id < ${after[0]}` : sql`true`
  const { rows } = await sql<(LedgerEntry | { id: null }) & { size: number }>`
    select counted.size, page.* from (select count(*) as size from job where ${fits}) counted
    left join lateral (
      select ${columns} from job where ${fits} and ${begin}
      order by id desc limit ${limit + 1} offset ${after ? 0 : offset}
    ) page on true
    order by page.id desc`.execute(db)
  return { size: rows[0]?.size ?? 0, rows: rows.filter((row) => row.id !== null) }
}

export async function findLedgerEntry(
  db: Db | Tx,
  id: number,
): Promise<(LedgerEntry & { attempts_log: JobAttempt[] }) | undefined> {
  const { rows } = await sql<LedgerEntry & { attempts_log: JobAttempt[] }>`
    select ${columns}, attempts_log from job where id = ${id}`.execute(db)
  return rows[0]
}

/** The newest job of a type for this object. */
export async function findLastEntry(db: Db | Tx, type: string, object: string): Promise<LedgerEntry | undefined> {
  const { rows } = await sql<LedgerEntry>`
    select ${columns} from job where type = ${type} and object = ${object} order by id desc limit 1`.execute(db)
  return rows[0]
}

/** Resets the attempts of a parked job. Undefined: it is not parked. */
export async function retryLedgerEntry(tx: Tx, id: number, now: Date): Promise<LedgerEntry | undefined> {
  const { rows } = await sql<LedgerEntry>`
    update job set state = 'waiting', attempts = 0 where id = ${id} and state = 'parked' returning ${columns}`.execute(
    tx,
  )
  const [entry] = rows
  if (entry) await requeueJob(tx, id, now)
  return entry
}

/** Adds a parked job for work that another queue gave up, so that administrators see it. A retry runs the job. */
export async function parkLedgerEntry(
  tx: Tx,
  { type, payload, object }: Pick<NewJob, 'type' | 'payload' | 'object'>,
  { attempts, failed }: { attempts: number; failed: JobAttempt },
): Promise<void> {
  await sql`
    insert into job (type, payload, object, state, attempts, last_error, attempts_log)
    values (${type}, ${JSON.stringify(payload)}::jsonb, ${object ?? null}, 'parked', ${attempts}, ${failed.error},
      ${JSON.stringify([failed])}::jsonb)`.execute(tx)
}

/** Removes a parked job. Undefined: it is not parked. */
export async function removeLedgerEntry(tx: Tx, id: number): Promise<LedgerEntry | undefined> {
  const { rows } = await sql<LedgerEntry>`
    delete from job where id = ${id} and state = 'parked' returning ${columns}`.execute(tx)
  return rows[0]
}

/** SQL: the newest parked job of a type whose payload has this member value; null: there is none. */
export function parkedJob(type: string, name: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(select max(job.id) from job where job.state = 'parked' and job.type = ${type}
    and job.payload -> ${name} = to_jsonb(${value}))`
}

export async function countJobs(db: Db): Promise<[state: JobState, count: number][]> {
  const { rows } = await sql<{ state: JobState; count: number }>`
    select state, count(*) as count from job group by state`.execute(db)
  const counts = new Map(rows.map(({ state, count }) => [state, count]))
  return JOB_STATE_NAMES.map((state) => [state, counts.get(state) ?? 0])
}

export const JOB_STATE_NAMES = ['waiting', 'running', 'retrying', 'parked', 'done'] as const satisfies JobState[]

function conditions({ state, type, from, to }: JobFilter): RawBuilder<boolean> {
  return allOf([
    ...(state === undefined ? [] : [sql<boolean>`state = ${state}`]),
    ...(type === undefined ? [] : [sql<boolean>`type = ${type}`]),
    ...isWithinRange(sql`created_on`, { from, to }),
  ])
}
