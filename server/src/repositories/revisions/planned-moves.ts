import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import { findArtifact } from '../../artifacts/reading/find-artifact.ts'
import { changeArtifact } from '../../artifacts/update-artifact/update-artifact.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { createWriteContext } from '../../platform/http/write-context.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProjectId } from '../../projects/project.ts'
import { IF_MATCH_ANY, createCommitAuthor, buildStateChange } from '../hooks/workflow-rule.ts'
import type { RepositoryId } from '../repository.ts'

/** A transaction that is older than this never becomes a revision. */
const PLAN_TTL_MS = 24 * 3_600_000

interface RepositoryOfMove {
  readonly id: RepositoryId
  readonly project_id: ProjectId
}

interface CommitText {
  readonly author: string
  readonly message: string
}

/** Stores the moves of a transaction before it is accepted, and replaces those of an earlier attempt. */
export async function planMoves(
  db: Db | Tx,
  { id: repository_id, project_id }: RepositoryOfMove,
  made: CommitText,
  { artifact_ids, state, now }: { artifact_ids: readonly ArtifactId[]; state: string; now: Date },
): Promise<void> {
  await sql`
    with old as (delete from repository_move where repository_id = ${repository_id}
      and (digest = ${commitDigest(made)} or planned_on < ${new Date(now.getTime() - PLAN_TTL_MS)}))
    insert into repository_move (project_id, repository_id, digest, artifact_ids, state, planned_on)
    values (${project_id}, ${repository_id}, ${commitDigest(made)}, ${artifact_ids}::bigint[], ${state}, ${now})
    `.execute(db)
}

/** Executes the planned moves of a commit as the committer, with their current rights; forbidden moves are skipped. */
export async function executePlannedMoves(
  context: Context,
  tx: Tx,
  repository: RepositoryOfMove,
  commit: CommitText & { readonly committer: Viewer; readonly revision: number },
): Promise<void> {
  const { rows } = await sql<{ artifact_ids: ArtifactId[]; state: string; name: string }>`
    delete from repository_move where id = (
      select id from repository_move
      where repository_id = ${repository.id} and digest = ${commitDigest(commit)}
      order by id limit 1 for update)
    returning artifact_ids, state, (select name from repository where id = ${repository.id}) as name`.execute(tx)
  const [planned] = rows
  if (!planned) return
  const moving = { committer: commit.committer, reference: `svn #${planned.name}/${commit.revision}` }
  for (const id of planned.artifact_ids) {
    await sql`savepoint move`.execute(tx)
    try {
      await moveArtifact(context, tx, id, planned.state, moving)
      await sql`release savepoint move`.execute(tx)
    } catch (error) {
      await sql`rollback to savepoint move`.execute(tx)
      context.log.warn({ err: error, artifact: id }, 'a commit could not move an artifact')
    }
  }
}

async function moveArtifact(
  context: Context,
  tx: Tx,
  id: ArtifactId,
  state: string,
  { committer, reference }: { committer: Viewer; reference: string },
): Promise<void> {
  const found = await findArtifact(context, tx, committer, id)
  const input = buildStateChange(found, state, reference)
  if (!input) throw new Error(`There is no state ${state}.`)
  const origin = { viewer: committer, request_id: null, address: null }
  await changeArtifact(
    createWriteContext(tx, origin, undefined),
    createCommitAuthor(context, tx, committer),
    id,
    input,
    IF_MATCH_ANY,
  )
}

function commitDigest({ author, message }: CommitText): string {
  return hash('sha256', `${author}\n${message}`, 'hex')
}
