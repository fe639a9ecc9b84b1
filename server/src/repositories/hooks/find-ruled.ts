import { relative, sep } from 'node:path'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Config } from '../../platform/operation/config.ts'
import { settingsVersion } from '../../platform/operation/settings.ts'
import { isActiveProject, itsProject, shortnameOf } from '../../projects/its-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { placesOf } from '../disk/places.ts'
import type { RepositoryId, RepositoryRules } from '../repository.ts'
import { Refusal } from './refusal.ts'

/** A repository that takes commits, by the folder in which a hook runs. */
export interface RuledRepository extends RepositoryRules {
  readonly id: RepositoryId
  readonly project_id: ProjectId
  readonly name: string
  readonly settings_version: number
}

export async function findRuled(
  { db, config }: { readonly db: Db | Tx; readonly config: Config },
  folder: string,
): Promise<RuledRepository> {
  const [shortname, name, ...deeper] = relative(placesOf(config).repositories, folder).split(sep)
  const { rows } = await sql<RuledRepository>`
    select repository.id, repository.project_id, repository.name, repository.is_reference_mandatory,
      repository.is_commit_message_change_allowed, repository.immutable_paths, repository.immutable_whitelist,
      repository.required_states, repository.moves_to, repository.notifications, ${settingsVersion} as settings_version
    from repository ${itsProject(sql`repository.project_id`)}
    where ${shortnameOf} = ${shortname ?? null} and repository.name = ${name ?? null}
      and repository.deleted_on is null and ${isActiveProject}`.execute(db)
  const [found] = rows
  if (!found || deeper.length > 0) throw new Refusal('repository')
  return found
}
