import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { FileId, StoredFile } from './file.ts'

/** All that `StoredFile` has, of a row of `file`. */
export const fileColumns = sql`file.id, file.uploader_id, file.name, file.media_type, file.description, file.field_id,
  file.size, file.received, file.chunks, file.last_chunk, file.digest, file.is_attached, file.created_on,
  file.expires_on`

/** On a row of `file`: its uploader may still do something with it. One that has expired is gone. */
export function isFree(account: AccountId, now: Date) {
  return sql<boolean>`(file.uploader_id = ${account} and not file.is_attached and file.expires_on > ${now})`
}

/** A file of the caller's own that nothing has yet, whole or not; undefined: there is none. */
export async function findFree(
  db: Db | Tx,
  now: Date,
  account: AccountId,
  id: FileId,
): Promise<StoredFile | undefined> {
  const { rows } = await sql<StoredFile>`
    select ${fileColumns} from file where file.id = ${id} and ${isFree(account, now)}`.execute(db)
  return rows[0]
}

/** Whoever may read them: for those who have asked that already. */
export async function readFiles(db: Db | Tx, ids: readonly FileId[]): Promise<Map<FileId, StoredFile>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<StoredFile>`select ${fileColumns} from file where file.id = any(${ids})`.execute(db)
  return new Map(rows.map((file) => [file.id, file]))
}

/** What the bytes are, of the few types that a browser may show; what is not sealed could be anything. */
export async function contentTypeOf(db: Db | Tx, { digest }: Pick<StoredFile, 'digest'>): Promise<string> {
  const { rows } = await sql<{ type: string }>`select type from file_content where digest = ${digest}`.execute(db)
  return rows[0]?.type ?? 'application/octet-stream'
}
