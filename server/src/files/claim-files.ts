import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { FileId } from './file.ts'

/**
 * Attaches free files. They must be sealed and unchanged since; if not, or if one is missing, returns false and the
 * caller rolls back.
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

/** Creates attached files with the same content for another artifact; maps old ids to new ones. */
export async function copyFiles(
  tx: Tx,
  ids: readonly FileId[],
  by: AccountId,
  now: Date,
): Promise<Map<FileId, FileId>> {
  if (ids.length === 0) return new Map()
  // Lock the sources, so that the content stays referenced until the copies exist.
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
