import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Eraser } from '../../accounts/users/erase-user.ts'
import { usersByIdSql } from '../../accounts/users/user.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Context } from '../../platform/operation/context.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'
import {
  deletedRepositoryFolder,
  type SvnFolders,
  getSvnFolders,
  repositoryFolder,
  writeOwnFile,
} from '../disk/svn-folders.ts'
import { runTool } from '../disk/run-tool.ts'
import { readRepositoryId } from '../disk/move-to-trash.ts'
import type { RepositoryId } from '../repository.ts'

const ERASE_JOB = 'svn_erase'

/** Enqueues the removal of an erased account's login from revisions. */
export const eraseAuthor: Eraser = async (work, account) => {
  const { rows } = await sql`select from repository_revision where account_id = ${account} limit 1`.execute(work.tx)
  if (rows.length > 0)
    await work.enqueue({ type: ERASE_JOB, payload: { account_id: account }, object: `users/${account}` })
}

/** A dump keeps the login; restoring it repeats the erasure. */
export const eraseAuthorJob = defineJob({
  type: ERASE_JOB,
  payload: Type.Object({ account_id: Type.Integer() }),
  async run(context, { account_id }) {
    if (context.config.WAYPOST_SVN_ROOT === null) return
    const places = getSvnFolders(context.config)
    const { rows } = await sql<{ id: RepositoryId; shortname: string; name: string }>`
      select repository.id, ${projectShortname} as shortname, repository.name
      from repository ${joinProject(sql`repository.project_id`)}
      where exists (select from repository_revision made
        where made.repository_id = repository.id and made.account_id = ${account_id})
      order by repository.id`.execute(context.db)
    for (const repository of rows)
      for (const folder of [repositoryFolder(places, repository), deletedRepositoryFolder(places, repository.id)])
        if ((await readRepositoryId(folder)) === String(repository.id))
          await eraseAuthorsIn(context, places, repository.id, folder)
  },
})

/** Replaces authors who were erased with `erased-<id>`. Changing the property creates no revision. */
export async function eraseAuthorsIn(
  { db }: Pick<Context, 'db'>,
  places: SvnFolders,
  id: RepositoryId,
  folder: string,
): Promise<void> {
  const authors = sql`array(select distinct made.account_id from repository_revision made where made.repository_id = ${id})`
  const { rows } = await sql<{ login: string; revisions: number[] }>`
    select person.login, array(select made.revision from repository_revision made
      where made.repository_id = ${id} and made.account_id = person.id order by made.revision)::bigint[] as revisions
    from (${usersByIdSql(authors)}) person where person.is_erased order by person.id`.execute(db)
  for (const { login, revisions } of rows) {
    const file = join(places.making, randomUUID())
    try {
      await writeOwnFile(file, login)
      for (const revision of revisions)
        await runTool('svnadmin', ['setrevprop', folder, '-r', String(revision), 'svn:author', file])
    } finally {
      await rm(file, { force: true })
    }
  }
}
