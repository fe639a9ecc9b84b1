import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import { idParam } from '../../platform/http/route.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { CHUNK_HEADERS } from '../chunk.ts'
import type { FileId, StoredFile } from '../file.ts'
import { fileColumns, isFree } from '../find-files.ts'
import { usageOf } from '../quota.ts'

const LASTS = 72 * 3_600_000

export const temporaryFileParam = idParam<FileId>('The file.')

export const Content = Type.String({ description: 'One chunk in base64: 1048576 bytes at most, decoded.' })

/** When a file is given up that no chunk comes for, and that nothing takes. */
export function endOf(now: Date): Date {
  return new Date(now.getTime() + LASTS)
}

/** On a row of `file`: it came in chunks, and is its uploader's alone. */
export function isTemporary(account: AccountId, now: Date) {
  return sql<boolean>`(file.field_id is null and ${isFree(account, now)})`
}

export async function findTemporary(
  db: Db | Tx,
  now: Date,
  account: AccountId,
  id: FileId,
  lock = sql``,
): Promise<StoredFile> {
  const { rows } = await sql<StoredFile>`
    select ${fileColumns} from file where file.id = ${id} and ${isTemporary(account, now)} ${lock}`.execute(db)
  const [file] = rows
  if (!file) throw new ApiError('not_found', { cause: 'file_not_found' })
  return file
}

/** Nobody else changes it until the transaction ends. */
export function lockTemporary(tx: Tx, now: Date, account: AccountId, id: FileId): Promise<StoredFile> {
  return findTemporary(tx, now, account, id, sql`for update of file`)
}

/** What every answer of these routes tells about the caller's room. */
export async function quotaHeaders(context: Context, { account_id }: Viewer): Promise<Record<string, string>> {
  return {
    ...CHUNK_HEADERS,
    'x-quota': String(context.settings.current.upload_quota),
    ...(account_id !== undefined && usageHeader(await usageOf(context.db, context.clock.now(), account_id))),
  }
}

/** How it is after a write. */
export function usageHeader(usage: number): { 'x-disk-usage': string } {
  return { 'x-disk-usage': String(usage) }
}
