import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Eraser } from '../../accounts/users/erase-user.ts'
import { usersWith } from '../../accounts/users/user.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Context } from '../../platform/operation/context.ts'
import { itsProject, shortnameOf } from '../../projects/its-project.ts'
import { deletedIn, type Places, placesOf, repositoryIn, writeOwnFile } from '../disk/places.ts'
import { runTool } from '../disk/run-tool.ts'
import { idIn } from '../disk/set-aside.ts'
import type { RepositoryId } from '../repository.ts'

const ERASE = 'svn_erase'

/** Orders that revisions forget the login of a person who is erased. */
export const eraseAuthor: Eraser = async (work, account) => {
  const { rows } = await sql`select from repository_revision where account_id = ${account} limit 1`.execute(work.tx)
  if (rows.length > 0) await work.enqueue({ type: ERASE, payload: { account_id: account }, object: `users/${account}` })
}

/** A dump keeps the login; whoever restores it forgets it then. */
export const eraseAuthorJob = defineJob({
  type: ERASE,
  payload: Type.Object({ account_id: Type.Integer() }),
  async run(context, { account_id }) {
    if (context.config.WAYPOST_SVN_ROOT === null) return
    const places = placesOf(context.config)
    const { rows } = await sql<{ id: RepositoryId; shortname: string; name: string }>`
      select repository.id, ${shortnameOf} as shortname, repository.name
      from repository ${itsProject(sql`repository.project_id`)}
      where exists (select from repository_revision made
        where made.repository_id = repository.id and made.account_id = ${account_id})
      order by repository.id`.execute(context.db)
    for (const repository of rows)
      for (const folder of [repositoryIn(places, repository), deletedIn(places, repository.id)])
        if ((await idIn(folder)) === String(repository.id)) await eraseAuthorsIn(context, places, repository.id, folder)
  },
})

/** Revisions of people who are erased say `erased-<id>`, as everything else does. No revision is made by that. */
export async function eraseAuthorsIn(
  { db }: Pick<Context, 'db'>,
  places: Places,
  id: RepositoryId,
  folder: string,
): Promise<void> {
  const authors = sql`array(select distinct made.account_id from repository_revision made where made.repository_id = ${id})`
  const { rows } = await sql<{ login: string; revisions: number[] }>`
    select person.login, array(select made.revision from repository_revision made
      where made.repository_id = ${id} and made.account_id = person.id order by made.revision)::bigint[] as revisions
    from (${usersWith(authors)}) person where person.is_erased order by person.id`.execute(db)
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
