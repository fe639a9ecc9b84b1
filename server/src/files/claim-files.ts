import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { FileId } from './file.ts'

/**
 * Makes free files attached ones. They have been sealed, and nothing has come since: else, and if one is not there any
 * more, the answer is false, and the caller rolls back.
 */
export async function claimFiles(tx: Tx, ids: readonly FileId[], uploader: AccountId, now: Date): Promise<boolean> {
  if (ids.length === 0) return true
  const { numAffectedRows = 0n } = await sql`
    update file set is_attached = true, expires_on = null, writer = null, writing_until = null, last_chunk = null
    where id = any(${ids}) and uploader_id = ${uploader} and not is_attached and expires_on > ${now}
      and exists (select from file_content content where content.digest = file.digest and content.size = file.size)
      and received = size`.execute(tx)
  return numAffectedRows === BigInt(new Set(ids).size)
}

/** New attached files with the same content, for another artifact: from the old id to the new one. */
export async function copyFiles(
  tx: Tx,
  ids: readonly FileId[],
  by: AccountId,
  now: Date,
): Promise<Map<FileId, FileId>> {
  if (ids.length === 0) return new Map()
  // Held, so that the content still has a file when the copies are there.
  const { rows } = await sql<{ id: FileId; copy: FileId }>`
    with source as (
      select file.*, nextval(pg_get_serial_sequence('file', 'id')) as copy from (
        select * from file where id = any(${ids}) and is_attached order by id for share) file
    ), copied as (
      insert into file (id, uploader_id, name, media_type, description, field_id, size, received, chunks, digest,
        is_attached, created_on)
      select copy, ${by}, name, media_type, description, field_id, size, received, chunks, digest, true, ${now}
      from source
    )
    select id, copy from source order by id`.execute(tx)
  return new Map(rows.map(({ id, copy }) => [id, copy]))
}
