import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#failpoint'
import { Type } from 'typebox'
import { inTransaction } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Context } from '../../platform/operation/context.ts'
import { dumpRepository } from '../disk/dump-repository.ts'
import { prepareSvnFolders } from '../disk/make-repository.ts'
import { deletedRepositoryFolder, getSvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { detach, readRepositoryId, moveToTrash } from '../disk/move-to-trash.ts'
import { findTrashedRepository, isStillTrashed, type TrashedRepository } from './trashed-repository.ts'

export const DUMP_JOB = 'svn_dump'

/**
 * Dumps a deleted repository, then removes its folder. Each step is idempotent and first checks that the repository is
 * still in the trash, because the job may be killed or overtaken by a restore.
 */
export const dumpJob = defineJob({
  type: DUMP_JOB,
  payload: Type.Object({ repository_id: Type.Integer() }),
  async run(context, { repository_id }) {
    const trashed = await findTrashedRepository(context.db, toId(repository_id))
    if (!trashed || trashed.restoring_on !== null) return
    await prepareSvnFolders(getSvnFolders(context.config))
    if (
      trashed.dump_file === null &&
      !((await moveFolderToTrash(context, trashed)) && (await storeDump(context, trashed)))
    )
      return
    await dropFolder(context, trashed)
  },
})

async function moveFolderToTrash({ db, config }: Context, trashed: TrashedRepository): Promise<boolean> {
  const places = getSvnFolders(config)
  const place = repositoryFolder(places, trashed)
  const isAway = await inTransaction(db, async (tx) => {
    if (!(await isStillTrashed(tx, trashed))) return false
    if ((await readRepositoryId(place)) === String(trashed.id)) await moveToTrash(places, place, String(trashed.id))
    return true
  })
  failpoint('svn.set_aside')
  return isAway
}

async function storeDump({ db, config }: Context, trashed: TrashedRepository): Promise<boolean> {
  const places = getSvnFolders(config)
  const { file, revision, sha256 } = await dumpRepository(
    places,
    trashed.id,
    deletedRepositoryFolder(places, trashed.id),
  )
  const outcome = await inTransaction(db, async (tx) => {
    if (!(await isStillTrashed(tx, trashed))) return 'overtaken'
    const { numUpdatedRows } = await tx
      .updateTable('repository')
      .set({ dump_file: file, dump_revision: revision, dump_sha256: sha256 })
      .where('id', '=', trashed.id)
      .where('dump_file', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n ? 'kept' : 'doubled'
  })
  if (outcome !== 'kept') await rm(join(places.deleted, file), { force: true })
  failpoint('svn.dump_recorded')
  return outcome !== 'overtaken'
}

async function dropFolder({ db, config }: Context, trashed: TrashedRepository): Promise<void> {
  const places = getSvnFolders(config)
  const going = await inTransaction(db, async (tx) =>
    (await isStillTrashed(tx, trashed)) ? detach(places, deletedRepositoryFolder(places, trashed.id)) : undefined,
  )
  if (going !== undefined) await rm(going, { recursive: true, force: true })
}
