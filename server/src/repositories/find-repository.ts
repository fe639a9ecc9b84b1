import { type RawBuilder, sql } from 'kysely'
import { hiddenError, permissionError } from '../accounts/auth-errors.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { findProject, type FoundProject } from '../projects/find-project.ts'
import { requireUnarchived } from '../projects/writable-project.ts'
import {
  type AccessRules,
  isSvnAdmin,
  type RepositoryId,
  type RepositoryRow,
  type RepositoryRules,
} from './repository.ts'

export interface FoundRepository {
  readonly repository: StoredRepository
  readonly project: FoundProject
}

export interface StoredRepository extends RepositoryRow, RepositoryRules {
  readonly version: number
  readonly access_version: number
  readonly access: AccessRules
}

/** Loads the repository if the viewer may enter its project; optionally locks the row for an update. */
export async function findRepository(
  db: Db | Tx,
  viewer: Viewer,
  id: RepositoryId,
  lock?: 'locked',
): Promise<FoundRepository> {
  const repository = await selectRepository(db, sql`repository.id = ${id} and repository.deleted_on is null`, lock)
  if (!repository) throw hiddenError(viewer)
  return { repository, project: await findProject(db, viewer, repository.project_id) }
}

/** The same for a repository in the trash. */
export async function findDeletedRepository(tx: Tx, viewer: Viewer, id: RepositoryId): Promise<FoundRepository> {
  const isDeleted = sql`repository.id = ${id} and repository.deleted_on is not null`
  const repository = await selectRepository(tx, isDeleted, 'locked')
  if (!repository) throw hiddenError(viewer)
  return { repository, project: await findProject(tx, viewer, repository.project_id) }
}

async function selectRepository(
  db: Db | Tx,
  which: RawBuilder<unknown>,
  lock?: 'locked',
): Promise<StoredRepository | undefined> {
  const { rows } = await sql<StoredRepository>`
    select repository.id, repository.project_id, repository.name, repository.is_reference_mandatory,
      repository.is_commit_message_change_allowed, repository.immutable_paths, repository.immutable_whitelist,
      repository.required_states, repository.moves_to, repository.notifications, repository.version, repository.access_version,
      jsonb_build_object('text', access.text, 'has_default_permissions', access.has_default_permissions) as access
    from repository join repository_access_file access
      on access.repository_id = repository.id and access.version = repository.access_version
    where ${which}
    ${lock ? sql`for no key update of repository` : sql``}`.execute(db)
  return rows[0]
}

export function requireSvnAdmin(viewer: Viewer, project: FoundProject): void {
  if (!isSvnAdmin(viewer, project)) throw permissionError(viewer, 'svn_admin')
}

/** Site administrators can open inactive projects, but cannot change anything in them. */
export function assertProjectActive({ status }: FoundProject): void {
  requireUnarchived(status)
  if (status !== 'active') throw new ApiError('rule_violated', { cause: 'project_not_active' })
}
