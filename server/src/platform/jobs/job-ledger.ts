import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../database/db.ts'
import { type Attempt, type JobState, type NewJob, requeueJob } from './jobs.ts'
import { allOf, type Range, within } from '../database/conditions.ts'
import type { Page } from '../http/pages.ts'

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

interface JobFilter extends Range {
  state?: JobState | undefined
  type?: string | undefined
}

// Without the payload: it may hold what an administrator need not read.
const columns = sql`id, type, state, attempts, max_attempts, object, created_on, run_after, last_error, request_id`

/** A page and one row more, newest first. One statement, so that size and rows are of one moment. */
export async function listLedgerEntries(
  db: Db,
  filter: JobFilter,
  { limit, offset, after }: Page,
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
): Promise<(LedgerEntry & { attempts_log: Attempt[] }) | undefined> {
  const { rows } = await sql<LedgerEntry & { attempts_log: Attempt[] }>`
    select ${columns}, attempts_log from job where id = ${id}`.execute(db)
  return rows[0]
}

/** The last of its type that is about this object. */
export async function findLastEntry(db: Db | Tx, type: string, object: string): Promise<LedgerEntry | undefined> {
  const { rows } = await sql<LedgerEntry>`
    select ${columns} from job where type = ${type} and object = ${object} order by id desc limit 1`.execute(db)
  return rows[0]
}

/** Gives a parked job all its attempts again. Undefined: it is not parked. */
export async function retryLedgerEntry(tx: Tx, id: number, now: Date): Promise<LedgerEntry | undefined> {
  const { rows } = await sql<LedgerEntry>`
    update job set state = 'waiting', attempts = 0 where id = ${id} and state = 'parked' returning ${columns}`.execute(
    tx,
  )
  const [entry] = rows
  if (entry) await requeueJob(tx, id, now)
  return entry
}

/** Puts work of another queue, which was given up there, before the administrators. A retry runs the job. */
export async function parkLedgerEntry(
  tx: Tx,
  { type, payload, object }: Pick<NewJob, 'type' | 'payload' | 'object'>,
  { attempts, failed }: { attempts: number; failed: Attempt },
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

/** The job of a type that waits for an administrator, and whose payload names this; null: there is none. */
export function parkedJob(type: string, name: RawBuilder<unknown>, value: RawBuilder<unknown>): RawBuilder<number> {
  return sql`(select max(job.id) from job where job.state = 'parked' and job.type = ${type}
    and job.payload -> ${name} = to_jsonb(${value}))`
}

export async function countJobs(db: Db): Promise<[state: JobState, count: number][]> {
  const { rows } = await sql<{ state: JobState; count: number }>`
    select state, count(*) as count from job group by state`.execute(db)
  const counts = new Map(rows.map(({ state, count }) => [state, count]))
  return JOB_STATES.map((state) => [state, counts.get(state) ?? 0])
}

export const JOB_STATES = ['waiting', 'running', 'retrying', 'parked', 'done'] as const satisfies JobState[]

function conditions({ state, type, from, to }: JobFilter): RawBuilder<boolean> {
  return allOf([
    ...(state === undefined ? [] : [sql<boolean>`state = ${state}`]),
    ...(type === undefined ? [] : [sql<boolean>`type = ${type}`]),
    ...within(sql`created_on`, { from, to }),
  ])
}
