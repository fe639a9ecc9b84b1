import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { FileId, StoredFile } from './file.ts'

/** The columns of `StoredFile` from a `file` row. */
export const fileColumns = sql`file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id,
  file.size, file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on,
  file.expires_on`

/** Whether the `file` row is an unattached file of the account that has not expired. */
export function isUnattached(account: AccountId, now: Date) {
  return sql<boolean>`(file.uploader_id = ${account} and not file.is_attached and file.expires_on > ${now})`
}

/** An unattached file of the caller, complete or not. */
export async function findUnattached(
  db: Db | Tx,
  now: Date,
  account: AccountId,
  id: FileId,
): Promise<StoredFile | undefined> {
  const { rows } = await sql<StoredFile>`
    select ${fileColumns} from file where file.id = ${id} and ${isUnattached(account, now)}`.execute(db)
  return rows[0]
}

/** Without a permission check: the caller has already made it. */
export async function readFiles(db: Db | Tx, ids: readonly FileId[]): Promise<Map<FileId, StoredFile>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<StoredFile>`select ${fileColumns} from file where file.id = any(${ids})`.execute(db)
  return new Map(rows.map((file) => [file.id, file]))
}

/** The version of the `file` row: it changes with every write to it. */
export const fileRowVersion = sql`file.xmin`

/** The detected type, limited to types that a browser may show inline; unsealed content has an unknown type. */
export async function findContentType(db: Db | Tx, { digest }: Pick<StoredFile, 'digest'>): Promise<string> {
  const { rows } = await sql<{ type: string }>`select type from file_content where digest = ${digest}`.execute(db)
  return rows[0]?.type ?? 'application/octet-stream'
}
