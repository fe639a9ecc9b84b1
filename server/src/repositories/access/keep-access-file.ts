import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import { itsProject } from '../../projects/its-project.ts'
import { peopleByLogin } from '../../projects/groups/people-by-login.ts'
import { placesOf, repositoryIn, writeOwnFile } from '../disk/places.ts'
import type { AccessRules, RepositoryId } from '../repository.ts'
import { type AccessGround, composeAccessFile, stampLine } from './access-file.ts'
import { accessStamp } from './read-ground.ts'

interface Kept {
  readonly id: RepositoryId
  readonly shortname: string
  readonly name: string
}

/**
 * Makes sure that the access file on disk is the one of this moment: asked at every sign-in, before Apache reads it, so
 * that nobody who changes a membership, a name or a visibility has to think of it.
 */
export async function keepAccessFile(context: Context, repository: Kept, stamp: string): Promise<void> {
  const file = join(repositoryIn(placesOf(context.config), repository), 'conf', 'authz')
  if (await hasStamp(file, stamp)) return
  // One at a time, each with what is true when its turn has come: an older one can never come last.
  await inTransaction(context.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('access file', ${repository.id}))`.execute(tx)
    const now = await accessFileNow(tx, repository.id)
    if (now) await writeOwnFile(file, now.text)
  })
}

/** The access file as it has to be at this moment. */
export async function accessFileNow(
  db: Db | Tx,
  id: RepositoryId,
): Promise<{ stamp: string; text: string } | undefined> {
  const { rows } = await sql<AccessGround & AccessRules & { stamp: string }>`
    select ${accessStamp} as stamp, ${peopleByLogin} as people, project.access, in_force.text,
      in_force.has_default_permissions
    from repository ${itsProject(sql`repository.project_id`)} join repository_access_file in_force
      on in_force.repository_id = repository.id and in_force.version = repository.access_version
    where repository.id = ${id}`.execute(db)
  const [now] = rows
  return now && { stamp: now.stamp, text: composeAccessFile(now.stamp, now, now).text }
}

async function hasStamp(file: string, stamp: string): Promise<boolean> {
  const wanted = Buffer.from(`${stampLine(stamp)}\n`)
  const handle = await open(file).catch(() => undefined)
  if (!handle) return false
  try {
    const { buffer } = await handle.read(Buffer.alloc(wanted.length), 0, wanted.length, 0)
    return buffer.equals(wanted)
  } finally {
    await handle.close()
  }
}
