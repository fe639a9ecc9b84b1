import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db, Tx } from '../database/db.ts'
import { ApiError } from '../words/errors.ts'
import type { Version } from '../wire/etag.ts'
import type { AccountId } from './viewer.ts'

declare module '../database/db.ts' {
  interface Tables {
    idempotency: StoredAnswer & {
      account_id: AccountId
      method: string
      path: string
      key: string
      request_hash: Buffer
      created_on: Date
    }
  }
}

interface StoredAnswer {
  status: number
  headers: Record<string, string>
  body: string | null
  location: string | null
  version: Version | null
  /** Instead of all the rest, where the answer held a secret: what was made. */
  secret_id: string | null
}

/** What makes two requests the same one. */
export interface IdempotencyKey {
  account_id: AccountId
  method: string
  /** Without prefix, suffix and trailing slash. */
  path: string
  key: string
  request_hash: Buffer
}

const PATIENCE = 10_000
const DAY = 86_400_000

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
 * Lets one of several equal requests pass, and holds the others back until it is done. They wait without a
 * connection in hand, so that a crowd of them cannot starve the very one they wait for.
 */
export async function takeTurns<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE
  for (let wait = 10; ; wait = Math.min(wait * 2, 200)) {
    const result = await attempt()
    if (result !== undefined) return result
    if (Date.now() > end) throw new ApiError('idempotency_in_progress').with({ 'retry-after': '1' })
    await pause(wait)
  }
}

/** True: it is this request's turn, until the transaction ends, however it ends. */
export async function lockKey(tx: Tx, { account_id, method, path, key }: IdempotencyKey): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${account_id} ${method} ${path} ${key}`}, 0)) as locked`.execute(
    tx,
  )
  return rows[0]?.locked ?? false
}

/** The answer that an equal request was given within 24 hours. */
export async function findStoredAnswer(
  db: Db | Tx,
  wanted: IdempotencyKey,
  now: Date,
): Promise<StoredAnswer | undefined> {
  const { account_id, method, path, key, request_hash } = wanted
  const { rows } = await sql<StoredAnswer & { request_hash: Buffer; is_over: boolean }>`
    select status, headers, body, location, version, secret_id, request_hash, created_on <= ${new Date(now.getTime() - DAY)} as is_over
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
  return { ...stored, version: revive(stored.version) }
}

/**
 * What was cancelled while it waited for the standby, or died there with its primary, stands in this database and maybe
 * nowhere else. A word of our own is written behind it, and waits for both.
 */
async function waitForStandby(db: Db | Tx): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'waypost', '')`.execute(db)
}

/** In the row its date is a text. */
function revive(version: Version | null): Version | null {
  return version?.last_modified ? { ...version, last_modified: new Date(version.last_modified) } : version
}

/** Only committed results replay: the row goes with the write, or not at all. */
export async function storeAnswer(tx: Tx, key: IdempotencyKey, answer: StoredAnswer, now: Date): Promise<void> {
  await sql`
    insert into idempotency (account_id, method, path, key, request_hash, status, headers, body, location, version,
      secret_id, created_on)
    values (${key.account_id}, ${key.method}, ${key.path}, ${key.key}, ${key.request_hash}, ${answer.status},
      ${JSON.stringify(answer.headers)}::jsonb, ${answer.body}, ${answer.location},
      ${answer.version && JSON.stringify(answer.version)}::jsonb, ${answer.secret_id}, ${now})`.execute(tx)
}

export async function removeOldAnswers(tx: Tx, now: Date): Promise<void> {
  await sql`delete from idempotency where created_on <= ${new Date(now.getTime() - DAY)}`.execute(tx)
}
