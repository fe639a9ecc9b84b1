import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { recordAudit } from '../../platform/database/audit.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import { deletedRepositoryFolder, type SvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { readRepositoryId, removeFolder } from '../disk/move-to-trash.ts'
import type { RepositoryId } from '../repository.ts'
import { findTrashedRepository, isStillTrashed, type TrashedRepository } from './trashed-repository.ts'

/** Bounds the lock time per transaction. */
const PURGE_BATCH_SIZE = 10_000
const ORIGIN = {
  viewer: { credential: { kind: 'job', id: null }, language: null, time_zone: null },
  request_id: null,
  address: null,
} as const

/** Purges repositories deleted before the given time. After an interruption the next run continues. */
export async function purgeRepositories({ db }: Context, places: SvnFolders, before: Date): Promise<void> {
  const { rows } = await sql<{ id: RepositoryId }>`
    select id from repository where deleted_on <= ${before} and restoring_on is null order by deleted_on, id`.execute(
    db,
  )
  for (const { id } of rows) {
    const trashed = await findTrashedRepository(db, id)
    if (trashed && (await removeRows(db, trashed))) await removeContent(places, trashed)
  }
}

export async function removeRows(db: Db, trashed: TrashedRepository): Promise<boolean> {
  const { id, project_id, name } = trashed
  // Delete the revisions in batches, and check before each that the purge is still allowed.
  for (let count = PURGE_BATCH_SIZE; count === PURGE_BATCH_SIZE; )
    count = await inTransaction(db, async (tx) => {
      if (!(await isStillTrashed(tx, trashed))) return 0
      await sql`
        delete from repository_reference where (repository_id, revision) in (
          select repository_id, revision from repository_revision where repository_id = ${id} order by revision desc
          limit ${PURGE_BATCH_SIZE})`.execute(tx)
      const { numAffectedRows } = await sql`
        delete from repository_revision where (repository_id, revision) in (
          select repository_id, revision from repository_revision where repository_id = ${id} order by revision desc
          limit ${PURGE_BATCH_SIZE})`.execute(tx)
      // Keeps `recorded_revision` consistent: after a restore, the deleted revisions are recorded again.
      await sql`
        update repository set recorded_revision = recorded_revision - ${Number(numAffectedRows ?? 0)} where id = ${id}`.execute(
        tx,
      )
      return Number(numAffectedRows ?? 0)
    })
  return inTransaction(db, async (tx) => {
    if (!(await isStillTrashed(tx, trashed))) return false
    await tx.deleteFrom('repository_move').where('repository_id', '=', id).execute()
    await tx.deleteFrom('repository_access_file').where('repository_id', '=', id).execute()
    await tx.deleteFrom('repository').where('id', '=', id).execute()
    await recordAudit(tx, ORIGIN, { action: 'repository.purge', object: `svn/${id}`, project_id, before: { name } })
    return true
  })
}

export async function removeContent(places: SvnFolders, trashed: TrashedRepository): Promise<void> {
  const { id, dump_file } = trashed
  const place = repositoryFolder(places, trashed)
  if ((await readRepositoryId(place)) === String(id)) await removeFolder(places, place)
  await removeFolder(places, deletedRepositoryFolder(places, id))
  if (dump_file !== null) await rm(join(places.deleted, dump_file), { force: true })
}
