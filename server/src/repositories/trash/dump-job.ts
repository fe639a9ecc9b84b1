import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#failpoint'
import { Type } from 'typebox'
import { inTransaction } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Context } from '../../platform/operation/context.ts'
import { dumpRepository } from '../disk/dump-repository.ts'
import { preparePlaces } from '../disk/make-repository.ts'
import { deletedIn, placesOf, repositoryIn } from '../disk/places.ts'
import { detach, idIn, setAside } from '../disk/set-aside.ts'
import { findTrashed, stillRests, type TrashedRepository } from './trashed-repository.ts'

export const DUMP = 'svn_dump'

/**
 * Makes a dump of what was deleted, and then removes its folder. Each step is one that can be made again, and begins by
 * asking whether the repository is still in the trash: it may be killed, or overtaken by a restoring, anywhere.
 */
export const dumpJob = defineJob({
  type: DUMP,
  payload: Type.Object({ repository_id: Type.Integer() }),
  async run(context, { repository_id }) {
    const trashed = await findTrashed(context.db, toId(repository_id))
    if (!trashed || trashed.restoring_on !== null) return
    await preparePlaces(placesOf(context.config))
    if (trashed.dump_file === null && !((await takeAway(context, trashed)) && (await keepDump(context, trashed))))
      return
    await dropFolder(context, trashed)
  },
})

async function takeAway({ db, config }: Context, trashed: TrashedRepository): Promise<boolean> {
  const places = placesOf(config)
  const place = repositoryIn(places, trashed)
  const isAway = await inTransaction(db, async (tx) => {
    if (!(await stillRests(tx, trashed))) return false
    if ((await idIn(place)) === String(trashed.id)) await setAside(places, place, String(trashed.id))
    return true
  })
  failpoint('svn.set_aside')
  return isAway
}

async function keepDump({ db, config }: Context, trashed: TrashedRepository): Promise<boolean> {
  const places = placesOf(config)
  const { file, revision, sha256 } = await dumpRepository(places, trashed.id, deletedIn(places, trashed.id))
  const outcome = await inTransaction(db, async (tx) => {
    if (!(await stillRests(tx, trashed))) return 'overtaken'
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
  const places = placesOf(config)
  const going = await inTransaction(db, async (tx) =>
    (await stillRests(tx, trashed)) ? detach(places, deletedIn(places, trashed.id)) : undefined,
  )
  if (going !== undefined) await rm(going, { recursive: true, force: true })
}
