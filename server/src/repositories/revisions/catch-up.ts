import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Pump } from '../../platform/jobs/pump.ts'
import type { Context } from '../../platform/operation/context.ts'
import { itsProject, shortnameOf } from '../../projects/its-project.ts'
import { placesOf, repositoryIn } from '../disk/places.ts'
import { idIn } from '../disk/set-aside.ts'
import type { RepositoryId } from '../repository.ts'
import { type Recorded, recordRevisions } from './record-revisions.ts'

const BETWEEN_LOOKS = 5_000
/** A commit that was let through this long ago is made, or never will be. */
const LONGEST_COMMIT = 3_600_000
const AT_ONCE = 100

interface Waiting extends Recorded {
  readonly shortname: string
  readonly name: string
}

/** For so long a mark need not be set again: whoever commits waits until it is on the disk. */
const LONGEST_MARKED = 600_000

/** A commit was let through: until it is recorded, somebody has to look for it. */
export async function expectCommit(db: Db | Tx, id: RepositoryId, now: Date): Promise<void> {
  await sql`
    update repository set unrecorded_since = ${now} where id = ${id}
      and (unrecorded_since is null or unrecorded_since < ${ago(now, LONGEST_MARKED)} or unrecorded_since > ${now})
    `.execute(db)
}

/** Finds what was committed while nobody was told: the server was killed, or the hook was. */
export const revisionPump: Pump = {
  name: 'svn_revisions',
  async turn(context) {
    const { db, config, clock } = context
    if (config.WAYPOST_SVN_ROOT === null) return false
    const now = clock.now()
    const { rows } = await sql<Waiting>`
      update repository set looked_on = ${now},
        unrecorded_since = case when repository.unrecorded_since > ${ago(now, LONGEST_COMMIT)}
          then repository.unrecorded_since end
      from (
        select repository.id, ${shortnameOf} as shortname from repository ${itsProject(sql`repository.project_id`)}
        where repository.unrecorded_since is not null and repository.unrecorded_since <= ${ago(now, BETWEEN_LOOKS)}
          and repository.deleted_on is null
          and (repository.looked_on is null or repository.looked_on <= ${ago(now, BETWEEN_LOOKS)})
        order by repository.looked_on nulls first limit ${AT_ONCE} for update of repository skip locked
      ) due
      where repository.id = due.id
      returning repository.id, repository.project_id, repository.name, due.shortname`.execute(db)
    for (const repository of rows) await catchUp(context, repository)
    return rows.length === AT_ONCE
  },
}

/** The same for all of them, whoever has put revisions there: an import knows no hooks. */
export const recordRevisionsJob = defineJob({
  type: 'svn_post_commit',
  payload: Type.Object({}),
  async run(context) {
    if (context.config.WAYPOST_SVN_ROOT === null) return
    const { rows } = await sql<Waiting>`
      select repository.id, repository.project_id, repository.name, ${shortnameOf} as shortname
      from repository ${itsProject(sql`repository.project_id`)}
      where repository.deleted_on is null order by repository.id`.execute(context.db)
    for (const repository of rows) await catchUp(context, repository)
  },
})

/** What is wrong with one repository must not keep the others waiting. */
async function catchUp(context: Context, repository: Waiting): Promise<void> {
  const folder = repositoryIn(placesOf(context.config), repository)
  try {
    if ((await idIn(folder)) === String(repository.id)) await recordRevisions(context, repository, folder)
  } catch (error) {
    context.log.error({ err: error, repository: repository.id }, 'revisions could not be recorded')
  }
}

function ago(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds)
}
