import { relative, sep } from 'node:path'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Config } from '../../platform/operation/config.ts'
import { settingsVersion } from '../../platform/operation/settings.ts'
import { projectIsActive, joinProject, projectShortname } from '../../projects/project-sql.ts'
import type { ProjectId } from '../../projects/project.ts'
import { getSvnFolders } from '../disk/svn-folders.ts'
import type { RepositoryId, RepositoryRules } from '../repository.ts'
import { CommitRefusal } from './commit-refusal.ts'

/** A repository that accepts commits, found by the folder in which a hook runs. */
export interface RepositoryWithRules extends RepositoryRules {
  readonly id: RepositoryId
  readonly project_id: ProjectId
  readonly name: string
  readonly settings_version: number
}

export async function findCommitRules(
  { db, config }: { readonly db: Db | Tx; readonly config: Config },
  folder: string,
): Promise<RepositoryWithRules> {
  const [shortname, name, ...deeper] = relative(getSvnFolders(config).repositories, folder).split(sep)
  const { rows } = await sql<RepositoryWithRules>`
    select repository.id, repository.project_id, repository.name, repository.is_reference_mandatory,
      repository.is_commit_message_change_allowed, repository.immutable_paths, repository.immutable_whitelist,
      repository.required_states, repository.moves_to, repository.notifications, ${settingsVersion} as settings_version
    from repository ${joinProject(sql`repository.project_id`)}
    where ${projectShortname} = ${shortname ?? null} and repository.name = ${name ?? null}
      and repository.deleted_on is null and ${projectIsActive}`.execute(db)
  const [found] = rows
  if (!found || deeper.length > 0) throw new CommitRefusal('repository')
  return found
}
