import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '../database/db.ts'
import { ApiError } from '../messages/errors.ts'
import type { ResourceVersion } from '../wire/etag.ts'
import type { AccountId } from './viewer.ts'

declare module '../database/db.ts' {
  interface Tables {
    idempotency: IdempotencyRecord & {
      account_id: AccountId
      method: string
      path: string
      key: string
      request_hash: Buffer
      created_on: Date
    }
  }
}

export interface IdempotencyRecord {
  status: number
  headers: Record<string, string | string[]>
  body: string | null
  location: string | null
  version: ResourceVersion | null
  /** The id of the created object, stored instead of an answer that contained a secret. */
  secret_id: string | null
}

/** Identifies equal requests. */
export interface IdempotencyKey {
  account_id: AccountId
  method: string
  /** Without prefix, suffix and trailing slash. */
  path: string
  key: string
  request_hash: Buffer
}

const KEY_LOCK_TIMEOUT_MS = 10_000
const RECORD_TTL_MS = 86_400_000

export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const [key = '', ...others] = typeof header === 'string' ? header.split(', ') : header
  if (others.length > 0) throw new ApiError('parameter_conflict', { path: 'Idempotency-Key' })
  if (!/^[\x21-\x7e]{1,128}$/.test(key))
    throw new ApiError('parameter_invalid', { path: 'Idempotency-Key', rule: 'format' })
  return key
}

export function hashRequest(query: string, body: Buffer): Buffer {
  return createHash('sha256').update(query).update('\0').update(body).digest()
}

/**
 * Lets one of several equal requests run; the others poll until it is done. They hold no connection while they wait, so
 * that they cannot starve the one that runs.
 */
export async function waitForKeyLock<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + KEY_LOCK_TIMEOUT_MS
  for (let wait = 10; ; wait = Math.min(wait * 2, 200)) {
    const result = await attempt()
    if (result !== undefined) return result
    if (Date.now() > end) throw new ApiError('idempotency_in_progress').with({ 'retry-after': '1' })
    await pause(wait)
  }
}

/** True: this request holds the lock until its transaction ends. */
export async function tryLockKey(tx: Tx, { account_id, method, path, key }: IdempotencyKey): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${account_id} ${method} ${path} ${key}`}, 0)) as locked`.execute(
    tx,
  )
  return rows[0]?.locked ?? false
}

/** The stored answer of an equal request within 24 hours. */
export async function findIdempotencyRecord(
  db: Db | Tx,
  wanted: IdempotencyKey,
  now: Date,
): Promise<IdempotencyRecord | undefined> {
  const { account_id, method, path, key, request_hash } = wanted
  const { rows } = await sql<IdempotencyRecord & { request_hash: Buffer; is_over: boolean }>`
    select status, headers, body, location, version, secret_id, request_hash, created_on <= ${new Date(now.getTime() - RECORD_TTL_MS)} as is_over
    from idempotency where account_id = ${account_id} and method = ${method} and path = ${path} and key = ${key}`.execute(
    db,
  )
  const [stored] = rows
  if (!stored) return undefined
  if (stored.is_over) {
    await sql`delete from idempotency
      where account_id = ${account_id} and method = ${method} and path = ${path} and key = ${key}`.execute(db)
    return undefined
  }
  if (!stored.request_hash.equals(request_hash)) throw new ApiError('idempotency_key_reused')
  await waitForStandby(db)
  if (stored.secret_id !== null) throw new ApiError('idempotency_secret', { id: stored.secret_id })
  return { ...stored, version: parseStoredVersion(stored.version) }
}

/**
 * A commit that was cancelled while it waited for the standby may exist only in this database. Writes a WAL message
 * after it, which waits for the standby as well.
 */
async function waitForStandby(db: Db | Tx): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'waypost', '')`.execute(db)
}

/** The stored row has the date as text. */
function parseStoredVersion(version: ResourceVersion | null): ResourceVersion | null {
  return version?.last_modified ? { ...version, last_modified: new Date(version.last_modified) } : version
}

/** Stored in the transaction of the write, so that only committed results are replayed. */
export async function storeIdempotencyRecord(
  tx: Tx,
  key: IdempotencyKey,
  answer: IdempotencyRecord,
  now: Date,
): Promise<void> {
  await sql`
    insert into idempotency (account_id, method, path, key, request_hash, status, headers, body, location, version,
      secret_id, created_on)
    values (${key.account_id}, ${key.method}, ${key.path}, ${key.key}, ${key.request_hash}, ${answer.status},
      ${JSON.stringify(answer.headers)}::jsonb, ${answer.body}, ${answer.location},
      ${answer.version && JSON.stringify(answer.version)}::jsonb, ${answer.secret_id}, ${now})`.execute(tx)
}

export async function deleteExpiredIdempotencyRecords(tx: Tx, now: Date): Promise<void> {
  await sql`delete from idempotency where created_on <= ${new Date(now.getTime() - RECORD_TTL_MS)}`.execute(tx)
}
