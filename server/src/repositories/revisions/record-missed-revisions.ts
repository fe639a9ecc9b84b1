import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Poller } from '../../platform/jobs/poller.ts'
import type { Context } from '../../platform/operation/context.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'
import { getSvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { readRepositoryId } from '../disk/move-to-trash.ts'
import type { RepositoryId } from '../repository.ts'
import { type RecordedRepository, recordRevisions } from './record-revisions.ts'

const RECHECK_INTERVAL_MS = 5_000
/** A transaction accepted longer ago than this is committed, or never will be. */
const COMMIT_TIMEOUT_MS = 3_600_000
const REPOSITORY_BATCH_SIZE = 100

interface UnrecordedRepository extends RecordedRepository {
  readonly shortname: string
  readonly name: string
}

/** Renew the mark only after this time: the committer waits for the write to disk. */
const MARK_LIFETIME_MS = 600_000

/** Marks a repository with an accepted commit, so that the poller checks it until the revision is recorded. */
export async function markUnrecorded(db: Db | Tx, id: RepositoryId, now: Date): Promise<void> {
  await sql`
    update repository set unrecorded_since = ${now} where id = ${id}
      and (unrecorded_since is null or unrecorded_since < ${ago(now, MARK_LIFETIME_MS)} or unrecorded_since > ${now})
    `.execute(db)
}

/** Records commits whose post-commit hook was lost: the server or the hook was killed. */
export const revisionPoller: Poller = {
  name: 'svn_revisions',
  async turn(context) {
    const { db, config, clock } = context
    if (config.WAYPOST_SVN_ROOT === null) return false
    const now = clock.now()
    const { rows } = await sql<UnrecordedRepository>`
      update repository set looked_on = ${now},
        unrecorded_since = case when repository.unrecorded_since > ${ago(now, COMMIT_TIMEOUT_MS)}
          then repository.unrecorded_since end
      from (
        select repository.id, ${projectShortname} as shortname from repository ${joinProject(sql`repository.project_id`)}
        where repository.unrecorded_since is not null and repository.unrecorded_since <= ${ago(now, RECHECK_INTERVAL_MS)}
          and repository.deleted_on is null
          and (repository.looked_on is null or repository.looked_on <= ${ago(now, RECHECK_INTERVAL_MS)})
        order by repository.looked_on nulls first limit ${REPOSITORY_BATCH_SIZE} for update of repository skip locked
      ) due
      where repository.id = due.id
      returning repository.id, repository.project_id, repository.name, due.shortname`.execute(db)
    for (const repository of rows) await recordMissedRevisions(context, repository)
    return rows.length === REPOSITORY_BATCH_SIZE
  },
}

/** The same for all repositories: imports run no hooks. */
export const recordRevisionsJob = defineJob({
  type: 'svn_post_commit',
  payload: Type.Object({}),
  async run(context) {
    if (context.config.WAYPOST_SVN_ROOT === null) return
    const { rows } = await sql<UnrecordedRepository>`
      select repository.id, repository.project_id, repository.name, ${projectShortname} as shortname
      from repository ${joinProject(sql`repository.project_id`)}
      where repository.deleted_on is null order by repository.id`.execute(context.db)
    for (const repository of rows) await recordMissedRevisions(context, repository)
  },
})

/** A fault in one repository must not delay the others. */
async function recordMissedRevisions(context: Context, repository: UnrecordedRepository): Promise<void> {
  const folder = repositoryFolder(getSvnFolders(context.config), repository)
  try {
    if ((await readRepositoryId(folder)) === String(repository.id)) await recordRevisions(context, repository, folder)
  } catch (error) {
    context.log.error({ err: error, repository: repository.id }, 'revisions could not be recorded')
  }
}

function ago(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds)
}
