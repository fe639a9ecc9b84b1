import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { joinProject, projectShortname } from '../../projects/project-sql.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { RepositoryId } from '../repository.ts'

/** The columns of a deleted repository that the jobs use. */
export interface TrashedRepository {
  readonly id: RepositoryId
  readonly project_id: ProjectId
  readonly shortname: string
  /** The name of its folder until the folder is moved. */
  readonly name: string
  readonly deleted_on: Date
  readonly restoring_on: Date | null
  readonly restoring_name: string | null
  readonly dump_file: string | null
  readonly dump_revision: number | null
  readonly dump_sha256: string | null
}

/** Undefined if it is not in the trash. A lock keeps its state until the transaction ends. */
export async function findTrashedRepository(
  db: Db | Tx,
  id: RepositoryId,
  lock?: 'locked',
): Promise<TrashedRepository | undefined> {
  const { rows } = await sql<TrashedRepository>`
    select repository.id, repository.project_id, ${projectShortname} as shortname, repository.name, repository.deleted_on,
      repository.restoring_on, repository.restoring_name, repository.dump_file, repository.dump_revision,
      repository.dump_sha256
    from repository ${joinProject(sql`repository.project_id`)}
    where repository.id = ${id} and repository.deleted_on is not null
    ${lock ? sql`for update of repository` : sql``}`.execute(db)
  return rows[0]
}

/** Whether it is still the same deletion and no restore is pending; only then may the folder be touched. */
export async function isStillTrashed(tx: Tx, { id, deleted_on }: TrashedRepository): Promise<boolean> {
  const now = await findTrashedRepository(tx, id, 'locked')
  return now?.deleted_on.getTime() === deleted_on.getTime() && now.restoring_on === null
}

/** Deleted repositories, for the trash listing: type, id, label, project_id, tracker_id, deleted_by, deleted_on. */
export const deletedRepositories = sql`select 'repository' as type, repository.id, repository.name as label,
  repository.project_id, null::bigint as tracker_id, repository.deleted_by, repository.deleted_on
  from repository where repository.deleted_on is not null`
