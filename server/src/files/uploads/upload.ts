import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { FileId, StoredFile } from '../file.ts'
import { fileColumns, isUnattached } from '../find-files.ts'

export function uploadUrl({ id }: Pick<StoredFile, 'id'>): string {
  return `/uploads/${id}`
}

/** Whether the `file` row is an announced, unfinished upload. An empty file is always finished. */
const isUnfinished = sql<boolean>`(file.field_id is not null and file.digest is null and file.size > 0)`

/** An unfinished upload of the caller. Finished uploads and those of others do not exist here. */
export async function findUpload(db: Db | Tx, now: Date, account: AccountId, id: FileId): Promise<StoredFile> {
  const { rows } = await sql<StoredFile>`
    select ${fileColumns} from file where file.id = ${id} and ${isUnattached(account, now)} and ${isUnfinished}`.execute(
    db,
  )
  const [upload] = rows
  if (!upload) throw new ApiError('not_found', { cause: 'file_not_found' })
  return upload
}

/** The same, locked until the transaction ends. */
export async function lockUpload(tx: Tx, now: Date, account: AccountId, id: FileId): Promise<StoredFile> {
  await sql`select from file where id = ${id} for update`.execute(tx)
  return findUpload(tx, now, account, id)
}
