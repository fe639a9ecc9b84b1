import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { recordAudit } from '../../platform/database/audit.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import { deletedIn, type Places, repositoryIn } from '../disk/places.ts'
import { idIn, removeFolder } from '../disk/set-aside.ts'
import type { RepositoryId } from '../repository.ts'
import { findTrashed, stillRests, type TrashedRepository } from './trashed-repository.ts'

/** So many at once that nobody else waits for long. */
const PART = 10_000
const ORIGIN = {
  viewer: { credential: { kind: 'job', id: null }, language: null, time_zone: null },
  request_id: null,
  address: null,
} as const

/** Removes for good what was deleted before then. Whoever is cut off in the middle leaves no more than the next removes. */
export async function purgeRepositories({ db }: Context, places: Places, before: Date): Promise<void> {
  const { rows } = await sql<{ id: RepositoryId }>`
    select id from repository where deleted_on <= ${before} and restoring_on is null order by deleted_on, id`.execute(
    db,
  )
  for (const { id } of rows) {
    const trashed = await findTrashed(db, id)
    if (trashed && (await removeRows(db, trashed))) await removeContent(places, trashed)
  }
}

async function removeRows(db: Db, trashed: TrashedRepository): Promise<boolean> {
  const { id, project_id, name } = trashed
  // Its revisions first, in parts: whether it may go is asked each time.
  for (let count = PART; count === PART; )
    count = await inTransaction(db, async (tx) => {
      if (!(await stillRests(tx, trashed))) return 0
      await sql`
        delete from repository_reference where (repository_id, revision) in (
          select repository_id, revision from repository_revision where repository_id = ${id} order by revision desc
          limit ${PART})`.execute(tx)
      const { numAffectedRows } = await sql`
        delete from repository_revision where (repository_id, revision) in (
          select repository_id, revision from repository_revision where repository_id = ${id} order by revision desc
          limit ${PART})`.execute(tx)
      // Were it restored now, what is gone here would be recorded again.
      await sql`
        update repository set recorded_revision = recorded_revision - ${Number(numAffectedRows ?? 0)} where id = ${id}`.execute(
        tx,
      )
      return Number(numAffectedRows ?? 0)
    })
  return inTransaction(db, async (tx) => {
    if (!(await stillRests(tx, trashed))) return false
    await tx.deleteFrom('repository_move').where('repository_id', '=', id).execute()
    await tx.deleteFrom('repository_access_file').where('repository_id', '=', id).execute()
    await tx.deleteFrom('repository').where('id', '=', id).execute()
    await recordAudit(tx, ORIGIN, { action: 'repository.purge', object: `svn/${id}`, project_id, before: { name } })
    return true
  })
}

async function removeContent(places: Places, trashed: TrashedRepository): Promise<void> {
  const { id, dump_file } = trashed
  const place = repositoryIn(places, trashed)
  if ((await idIn(place)) === String(id)) await removeFolder(places, place)
  await removeFolder(places, deletedIn(places, id))
  if (dump_file !== null) await rm(join(places.deleted, dump_file), { force: true })
}
