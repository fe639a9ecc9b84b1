import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#failpoint'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { type Tx, inTransaction } from '../../platform/database/db.ts'
import { recordEvent } from '../../platform/database/events.ts'
import { toId } from '../../platform/database/ids.ts'
import { ANONYMOUS } from '../../platform/http/exchange.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { loadRepository } from '../disk/dump-repository.ts'
import { adopt, preparePlaces, putInPlace } from '../disk/make-repository.ts'
import { deletedIn, type Places, placesOf, repositoryIn } from '../disk/places.ts'
import { serveProject } from '../disk/serve-project.ts'
import { detach, idIn } from '../disk/set-aside.ts'
import { eraseAuthorsIn } from '../revisions/erase-author.ts'
import { findTrashed, type TrashedRepository } from './trashed-repository.ts'

export const RESTORE = 'svn_restore'

/**
 * Brings a repository back from the trash. Until the last step, one transaction, it is as absent as before; what is left
 * of an attempt that was cut off is used by the next one, or swept away.
 */
export const restoreJob = defineJob({
  type: RESTORE,
  payload: Type.Object({ repository_id: Type.Integer(), account_id: Type.Union([Type.Integer(), Type.Null()]) }),
  async run(context, { repository_id, account_id }, { request_id }) {
    const trashed = await findTrashed(context.db, toId(repository_id))
    if (!trashed || trashed.restoring_on === null) return
    const places = placesOf(context.config)
    await preparePlaces(places)
    const found = await findFolder(places, trashed)
    const folder = found ?? (await loadDump(places, trashed))
    await eraseAuthorsIn(context, places, trashed.id, folder)
    await serveProject(context.config, trashed.shortname)
    const viewer = account_id === null ? undefined : await findUsableViewer(context, toId<AccountId>(account_id))
    const left = await inTransaction(context.db, async (tx) => {
      const now = await findTrashed(tx, trashed.id, 'locked')
      if (!now || now.restoring_on === null) return found === undefined ? [folder] : [] // Somebody was faster.
      const name = now.restoring_name ?? now.name
      const place = repositoryIn(places, { ...now, name })
      if (folder !== place) await putInPlace(places, folder, { id: now.id, shortname: now.shortname, name })
      failpoint('svn.replaced')
      await flip(tx, now, name, context.clock.now())
      const origin = { viewer: viewer ?? ANONYMOUS, request_id, address: null }
      await recordEvent(tx, origin, { type: 'svn.created', object: `svn/${now.id}`, project_id: now.project_id })
      // Else it would be taken for the content, when the repository is deleted again.
      return [await detach(places, deletedIn(places, now.id)), ...dumpOf(places, now)]
    })
    failpoint('svn.restored')
    for (const path of left) await rm(path, { recursive: true, force: true })
  },
})

/**
 * Its folder, where that is still there: the dump was not yet made, or an attempt before this one has put it in its
 * place. In each of these nothing can have changed since the deletion.
 */
async function findFolder(places: Places, trashed: TrashedRepository): Promise<string | undefined> {
  const { id, shortname, name, restoring_name } = trashed
  const named = [restoring_name ?? name, name].map((each) => repositoryIn(places, { shortname, name: each }))
  for (const folder of [...named, deletedIn(places, id)]) if ((await idIn(folder)) === String(id)) return folder
  return undefined
}

async function loadDump(places: Places, trashed: TrashedRepository): Promise<string> {
  const { id, shortname, name, dump_file: file, dump_revision: revision, dump_sha256: sha256 } = trashed
  if (file === null || revision === null || sha256 === null)
    throw new Error(`Neither the folder nor a dump of repository ${id} is there.`)
  const folder = await loadRepository(places, { file, revision, sha256 })
  await adopt(places, folder, { id, shortname, name })
  return folder
}

async function flip(tx: Tx, { id }: TrashedRepository, name: string, now: Date): Promise<void> {
  await sql`
    update repository set name = ${name}, deleted_by = null, deleted_on = null, restoring_on = null,
      restoring_name = null, dump_file = null, dump_revision = null, dump_sha256 = null, version = version + 1,
      unrecorded_since = ${now}, looked_on = null
    where id = ${id}`.execute(tx)
}

function dumpOf({ deleted }: Places, { dump_file }: TrashedRepository): string[] {
  return dump_file === null ? [] : [join(deleted, dump_file)]
}
