import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { rateLimited } from '../../platform/http/rate-limit.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { AccountId } from '../../platform/http/viewer.ts'

declare module '../../platform/database/db.ts' {
  interface Tables {
    export_file: ExportFileTable
  }
}

interface ExportFileTable {
  account_id: AccountId
  requested_on: Date
  made_on: Date | null
  expires_on: Date | null
  content: Buffer | null
}

const DAY_MS = 86_400_000
const EXPORT_TTL_MS = 7 * DAY_MS

/** Replaces an earlier export. Refused while that one is younger than a day. */
export async function insertExport(tx: Tx, account: AccountId, now: Date): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into export_file (account_id, requested_on) values (${account}, ${now})
    on conflict (account_id) do update
      set requested_on = excluded.requested_on, made_on = null, expires_on = null, content = null
      where export_file.requested_on <= ${new Date(now.getTime() - DAY_MS)}`.execute(tx)
  if (numAffectedRows === 0n)
    throw rateLimited(
      { name: 'account-exports', quota: 1, windowSeconds: DAY_MS / 1000 },
      await secondsToWait(tx, account, now),
    )
}

async function secondsToWait(tx: Tx, account: AccountId, now: Date): Promise<number> {
  const { requested_on } = await tx
    .selectFrom('export_file')
    .select('requested_on')
    .where('account_id', '=', account)
    .executeTakeFirstOrThrow()
  return Math.max(1, Math.ceil((requested_on.getTime() + DAY_MS - now.getTime()) / 1000))
}

/** Stores the file if the export is still requested: not after an erasure, and not twice. */
export async function fillExport(tx: Tx, account: AccountId, content: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update export_file set made_on = ${now}, expires_on = ${new Date(now.getTime() + EXPORT_TTL_MS)}, content = ${content}
    where account_id = ${account} and made_on is null`.execute(tx)
  return numAffectedRows === 1n
}

export interface FoundExport {
  made_on: Date | null
  expires_on: Date | null
  size: number | null
}

/** The export of the account, unless it is expired. */
export async function findExport(db: Db, account: AccountId, now: Date): Promise<FoundExport> {
  const { rows } = await sql<FoundExport>`
    select made_on, expires_on, length(content) as size from export_file
    where account_id = ${account} and (expires_on is null or expires_on > ${now})`.execute(db)
  const [found] = rows
  if (!found) throw new ApiError('not_set')
  return found
}

export async function readExport(db: Db, account: AccountId, now: Date): Promise<{ made_on: Date; content: Buffer }> {
  const { rows } = await sql<{ made_on: Date; content: Buffer }>`
    select made_on, content from export_file where account_id = ${account} and expires_on > ${now}`.execute(db)
  const [found] = rows
  if (!found) throw new ApiError('not_set')
  return found
}

export async function removeOldExports(tx: Tx, now: Date): Promise<void> {
  await sql`delete from export_file
    where expires_on <= ${now} or expires_on is null and requested_on <= ${new Date(now.getTime() - EXPORT_TTL_MS)}`.execute(
    tx,
  )
}
