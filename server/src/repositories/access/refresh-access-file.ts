import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Context } from '../../platform/operation/context.ts'
import { joinProject } from '../../projects/project-sql.ts'
import { peopleByLogin } from '../../projects/groups/people-by-login.ts'
import { getSvnFolders, repositoryFolder, writeOwnFile } from '../disk/svn-folders.ts'
import type { AccessRules, RepositoryId } from '../repository.ts'
import { type AccessInputs, composeAccessFile, stampLine } from './access-file.ts'
import { accessStamp } from './load-access-inputs.ts'

/** Identifies a repository and its directory on disk. */
export interface RepositoryPath {
  readonly id: RepositoryId
  readonly shortname: string
  readonly name: string
}

/**
 * Rewrites the access file if its stamp is stale. Runs at every sign-in before Apache reads the file, so changes of
 * memberships, logins and visibility need no explicit invalidation.
 */
export async function refreshAccessFile(context: Context, repository: RepositoryPath, stamp: string): Promise<void> {
  const file = join(repositoryFolder(getSvnFolders(context.config), repository), 'conf', 'authz')
  if (await hasStamp(file, stamp)) return
  // The advisory lock serializes writers; each reads the current data under the lock, so an older file never wins.
  await inTransaction(context.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('access file', ${repository.id}))`.execute(tx)
    const now = await loadCurrentAccessFile(tx, repository.id)
    if (now) await writeOwnFile(file, now.text)
  })
}

/** The access file for the current state of the database. */
export async function loadCurrentAccessFile(
  db: Db | Tx,
  id: RepositoryId,
): Promise<{ stamp: string; text: string } | undefined> {
  const { rows } = await sql<AccessInputs & AccessRules & { stamp: string }>`
    select ${accessStamp} as stamp, ${peopleByLogin} as people, project.access, in_force.text,
      in_force.has_default_permissions
    from repository ${joinProject(sql`repository.project_id`)} join repository_access_file in_force
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
