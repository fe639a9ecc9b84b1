import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { itsProject, shortnameOf } from '../../projects/its-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { RepositoryId } from '../repository.ts'

/** What the jobs need to know of a repository in the trash. */
export interface TrashedRepository {
  readonly id: RepositoryId
  readonly project_id: ProjectId
  readonly shortname: string
  /** That of its folder, as long as it is where it was. */
  readonly name: string
  readonly deleted_on: Date
  readonly restoring_on: Date | null
  readonly restoring_name: string | null
  readonly dump_file: string | null
  readonly dump_revision: number | null
  readonly dump_sha256: string | null
}

/** Undefined: it is not in the trash. Locked, it stays in the state in which it is. */
export async function findTrashed(
  db: Db | Tx,
  id: RepositoryId,
  lock?: 'locked',
): Promise<TrashedRepository | undefined> {
  const { rows } = await sql<TrashedRepository>`
    select repository.id, repository.project_id, ${shortnameOf} as shortname, repository.name, repository.deleted_on,
      repository.restoring_on, repository.restoring_name, repository.dump_file, repository.dump_revision,
      repository.dump_sha256
    from repository ${itsProject(sql`repository.project_id`)}
    where repository.id = ${id} and repository.deleted_on is not null
    ${lock ? sql`for update of repository` : sql``}`.execute(db)
  return rows[0]
}

/** The same deletion, and nobody has thought better of it: only then may its folder be touched. */
export async function stillRests(tx: Tx, { id, deleted_on }: TrashedRepository): Promise<boolean> {
  const now = await findTrashed(tx, id, 'locked')
  return now?.deleted_on.getTime() === deleted_on.getTime() && now.restoring_on === null
}

/** Repositories in the trash, for a statement of another room: type, id, label, project_id, tracker_id, deleted_by, deleted_on. */
export const deletedRepositories = sql`select 'repository' as type, repository.id, repository.name as label,
  repository.project_id, null::bigint as tracker_id, repository.deleted_by, repository.deleted_on
  from repository where repository.deleted_on is not null`
