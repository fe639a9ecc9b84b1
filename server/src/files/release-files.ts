import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import type { Tx } from '../platform/database/db.ts'
import { enqueueJob } from '../platform/jobs/jobs.ts'
import type { FileId } from './file.ts'
import { PIECES_REMOVAL } from './remove-pieces.ts'

/** Deletes file rows. Their pieces are deleted after the commit; the content is kept longer than a backup takes. */
export async function releaseFiles(tx: Tx, ids: readonly FileId[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ key: string }>`
    delete from file_piece where file_id = any(${ids}) returning key`.execute(tx)
  await sql`delete from file where id = any(${ids})`.execute(tx)
  const keys = rows.map(({ key }) => key)
  if (keys.length > 0) await enqueueJob(tx, { type: PIECES_REMOVAL, payload: { keys } }, null)
  failpoint('file.released')
}
