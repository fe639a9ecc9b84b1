import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import { idParam } from '../../platform/http/route.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { CHUNK_HEADERS } from '../chunk.ts'
import type { FileId, StoredFile } from '../file.ts'
import { fileColumns, isUnattached } from '../find-files.ts'
import { getUploadUsage } from '../quota.ts'

const TEMPORARY_FILE_TTL_MS = 72 * 3_600_000

export const temporaryFileParam = idParam<FileId>('The file.')

export const ChunkContent = Type.String({ description: 'One chunk in base64: 1048576 bytes at most, decoded.' })

/** The expiry of a file that gets no further chunk and is not attached. */
export function temporaryFileExpiry(now: Date): Date {
  return new Date(now.getTime() + TEMPORARY_FILE_TTL_MS)
}

/** Whether the `file` row was sent in chunks and is an unattached file of the account. */
export function isTemporary(account: AccountId, now: Date) {
  return sql<boolean>`(file.field_id is null and ${isUnattached(account, now)})`
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

/** Finds and locks the file until the transaction ends. */
export function lockTemporary(tx: Tx, now: Date, account: AccountId, id: FileId): Promise<StoredFile> {
  return findTemporary(tx, now, account, id, sql`for update of file`)
}

/** The quota headers of every response of these routes. */
export async function quotaHeaders(context: Context, { account_id }: Viewer): Promise<Record<string, string>> {
  return {
    ...CHUNK_HEADERS,
    'x-quota': String(context.settings.current.upload_quota),
    ...(account_id !== undefined && usageHeader(await getUploadUsage(context.db, context.clock.now(), account_id))),
  }
}

/** The usage after a write. */
export function usageHeader(usage: number): { 'x-disk-usage': string } {
  return { 'x-disk-usage': String(usage) }
}
