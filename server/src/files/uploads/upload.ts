import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/words/errors.ts'
import type { FileId, StoredFile } from '../file.ts'
import { fileColumns, isFree } from '../find-files.ts'

export function uploadUrl({ id }: Pick<StoredFile, 'id'>): string {
  return `/uploads/${id}`
}

/** On a row of `file`: it was announced, and is not finished. An empty one always is. */
const isUnfinished = sql<boolean>`(file.field_id is not null and file.digest is null and file.size > 0)`

/** An upload of the caller's own that goes on. To everybody else, and when it is finished, there is none. */
export async function findUpload(db: Db | Tx, now: Date, account: AccountId, id: FileId): Promise<StoredFile> {
  const { rows } = await sql<StoredFile>`
    select ${fileColumns} from file where file.id = ${id} and ${isFree(account, now)} and ${isUnfinished}`.execute(db)
  const [upload] = rows
  if (!upload) throw new ApiError('not_found', { cause: 'file_not_found' })
  return upload
}

/** The same, until the transaction ends. */
export async function lockUpload(tx: Tx, now: Date, account: AccountId, id: FileId): Promise<StoredFile> {
  await sql`select from file where id = ${id} for update`.execute(tx)
  return findUpload(tx, now, account, id)
}
