import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/words/errors.ts'
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

const DAY = 86_400_000
const LIFE = 7 * DAY

/** Takes the place of an earlier one. Refused while that one is younger than a day. */
export async function insertExport(tx: Tx, account: AccountId, now: Date): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into export_file (account_id, requested_on) values (${account}, ${now})
    on conflict (account_id) do update
      set requested_on = excluded.requested_on, made_on = null, expires_on = null, content = null
      where export_file.requested_on <= ${new Date(now.getTime() - DAY)}`.execute(tx)
  if (numAffectedRows === 0n)
    throw new ApiError('rate_limited').with({ 'retry-after': await secondsToWait(tx, account, now) })
}

async function secondsToWait(tx: Tx, account: AccountId, now: Date): Promise<string> {
  const { requested_on } = await tx
    .selectFrom('export_file')
    .select('requested_on')
    .where('account_id', '=', account)
    .executeTakeFirstOrThrow()
  return String(Math.max(1, Math.ceil((requested_on.getTime() + DAY - now.getTime()) / 1000)))
}

/** Keeps the file, if it is still wanted: who was erased meanwhile has nothing any more, and nothing is made twice. */
export async function fillExport(tx: Tx, account: AccountId, content: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update export_file set made_on = ${now}, expires_on = ${new Date(now.getTime() + LIFE)}, content = ${content}
    where account_id = ${account} and made_on is null`.execute(tx)
  return numAffectedRows === 1n
}

export interface FoundExport {
  made_on: Date | null
  expires_on: Date | null
  size: number | null
}

/** The account's export, if it has one that is not over. */
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
    where expires_on <= ${now} or expires_on is null and requested_on <= ${new Date(now.getTime() - LIFE)}`.execute(tx)
}
