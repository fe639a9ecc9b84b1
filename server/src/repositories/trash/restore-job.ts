import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#failpoint'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { type Tx, inTransaction } from '../../platform/database/db.ts'
import { recordEvent } from '../../platform/database/events.ts'
import { toId } from '../../platform/database/ids.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { loadRepository } from '../disk/dump-repository.ts'
import { adopt, prepareSvnFolders, moveIntoPlace } from '../disk/make-repository.ts'
import { deletedRepositoryFolder, type SvnFolders, getSvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { serveProject } from '../disk/serve-project.ts'
import { detach, readRepositoryId } from '../disk/move-to-trash.ts'
import { eraseAuthorsIn } from '../revisions/erase-author.ts'
import { findTrashedRepository, type TrashedRepository } from './trashed-repository.ts'

export const RESTORE_JOB = 'svn_restore'

/**
 * Restores a repository from the trash. It becomes visible only in the last transaction; the remains of an interrupted
 * attempt are reused by the next one, or swept.
 */
export const restoreJob = defineJob({
  type: RESTORE_JOB,
  payload: Type.Object({ repository_id: Type.Integer(), account_id: Type.Union([Type.Integer(), Type.Null()]) }),
  async run(context, { repository_id, account_id }, { request_id }) {
    const trashed = await findTrashedRepository(context.db, toId(repository_id))
    if (!trashed || trashed.restoring_on === null) return
    const places = getSvnFolders(context.config)
    await prepareSvnFolders(places)
    const found = await findFolder(places, trashed)
    const folder = found ?? (await loadDump(places, trashed))
    await eraseAuthorsIn(context, places, trashed.id, folder)
    await serveProject(context.config, trashed.shortname)
    const viewer = account_id === null ? undefined : await findUsableViewer(context, toId<AccountId>(account_id))
    const left = await inTransaction(context.db, async (tx) => {
      const now = await findTrashedRepository(tx, trashed.id, 'locked')
      if (!now || now.restoring_on === null) return found === undefined ? [folder] : [] // Another process was faster.
      const name = now.restoring_name ?? now.name
      const place = repositoryFolder(places, { ...now, name })
      if (folder !== place) await moveIntoPlace(places, folder, { id: now.id, shortname: now.shortname, name })
      failpoint('svn.replaced')
      await markRestored(tx, now, name, context.clock.now())
      const origin = { viewer: viewer ?? ANONYMOUS_VIEWER, request_id, address: null }
      await recordEvent(tx, origin, { type: 'svn.created', object: `svn/${now.id}`, project_id: now.project_id })
      // A remaining folder would be taken for the content at the next deletion.
      return [await detach(places, deletedRepositoryFolder(places, now.id)), ...dumpPaths(places, now)]
    })
    failpoint('svn.restored')
    for (const path of left) await rm(path, { recursive: true, force: true })
  },
})

/**
 * The folder, if it still exists: no dump was made yet, or an earlier attempt has moved it into place. Its content is
 * unchanged since the deletion.
 */
async function findFolder(places: SvnFolders, trashed: TrashedRepository): Promise<string | undefined> {
  const { id, shortname, name, restoring_name } = trashed
  const named = [restoring_name ?? name, name].map((each) => repositoryFolder(places, { shortname, name: each }))
  for (const folder of [...named, deletedRepositoryFolder(places, id)])
    if ((await readRepositoryId(folder)) === String(id)) return folder
  return undefined
}

async function loadDump(places: SvnFolders, trashed: TrashedRepository): Promise<string> {
  const { id, shortname, name, dump_file: file, dump_revision: revision, dump_sha256: sha256 } = trashed
  if (file === null || revision === null || sha256 === null)
    throw new Error(`Neither the folder nor a dump of repository ${id} is there.`)
  const folder = await loadRepository(places, { file, revision, sha256 })
  await adopt(places, folder, { id, shortname, name })
  return folder
}

async function markRestored(tx: Tx, { id }: TrashedRepository, name: string, now: Date): Promise<void> {
  await sql`
    update repository set name = ${name}, deleted_by = null, deleted_on = null, restoring_on = null,
      restoring_name = null, dump_file = null, dump_revision = null, dump_sha256 = null, version = version + 1,
      unrecorded_since = ${now}, looked_on = null
    where id = ${id}`.execute(tx)
}

function dumpPaths({ deleted }: SvnFolders, { dump_file }: TrashedRepository): string[] {
  return dump_file === null ? [] : [join(deleted, dump_file)]
}
