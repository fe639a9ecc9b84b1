import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import { findArtifact } from '../../artifacts/reading/find-artifact.ts'
import { changeArtifact } from '../../artifacts/update-artifact.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { createWork } from '../../platform/http/work.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProjectId } from '../../projects/project.ts'
import { AS_IT_IS, authorOf, moveOf } from '../hooks/workflow-rule.ts'
import type { RepositoryId } from '../repository.ts'

/** A commit that has not become a revision by then never will. */
const LONGEST_PLANNED = 24 * 3_600_000

interface Of {
  readonly id: RepositoryId
  readonly project_id: ProjectId
}

interface Made {
  readonly author: string
  readonly message: string
}

/** Writes down what a commit will move, before it is let through, instead of what the same one would that came to nothing. */
export async function planMoves(
  db: Db | Tx,
  { id: repository_id, project_id }: Of,
  made: Made,
  { artifact_ids, state, now }: { artifact_ids: readonly ArtifactId[]; state: string; now: Date },
): Promise<void> {
  await sql`
    with old as (delete from repository_move where repository_id = ${repository_id}
      and (digest = ${digestOf(made)} or planned_on < ${new Date(now.getTime() - LONGEST_PLANNED)}))
    insert into repository_move (project_id, repository_id, digest, artifact_ids, state, planned_on)
    values (${project_id}, ${repository_id}, ${digestOf(made)}, ${artifact_ids}::bigint[], ${state}, ${now})
    `.execute(db)
}

/** Moves what the commit was let through for, as the committer and by his rights of now; a move that they forbid is left out. */
export async function makeMoves(
  context: Context,
  tx: Tx,
  repository: Of,
  commit: Made & { readonly committer: Viewer; readonly revision: number },
): Promise<void> {
  const { rows } = await sql<{ artifact_ids: ArtifactId[]; state: string; name: string }>`
    delete from repository_move where id = (
      select id from repository_move
      where repository_id = ${repository.id} and digest = ${digestOf(commit)}
      order by id limit 1 for update)
    returning artifact_ids, state, (select name from repository where id = ${repository.id}) as name`.execute(tx)
  const [planned] = rows
  if (!planned) return
  const moving = { committer: commit.committer, reference: `svn #${planned.name}/${commit.revision}` }
  for (const id of planned.artifact_ids) {
    await sql`savepoint move`.execute(tx)
    try {
      await move(context, tx, id, planned.state, moving)
      await sql`release savepoint move`.execute(tx)
    } catch (error) {
      await sql`rollback to savepoint move`.execute(tx)
      context.log.warn({ err: error, artifact: id }, 'a commit could not move an artifact')
    }
  }
}

async function move(
  context: Context,
  tx: Tx,
  id: ArtifactId,
  state: string,
  { committer, reference }: { committer: Viewer; reference: string },
): Promise<void> {
  const found = await findArtifact(context, tx, committer, id)
  const input = moveOf(found, state, reference)
  if (!input) throw new Error(`There is no state ${state}.`)
  const origin = { viewer: committer, request_id: null, address: null }
  await changeArtifact(createWork(tx, origin, undefined), authorOf(context, tx, committer), id, input, AS_IT_IS)
}

function digestOf({ author, message }: Made): string {
  return hash('sha256', `${author}\n${message}`, 'hex')
}
