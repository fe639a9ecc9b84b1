import { sql } from 'kysely'
import type { FindGroupUses, GroupUse } from '../projects/groups/delete-user-group.ts'

/** Repositories, also deleted ones, that notify the group, or whose access file in force names it. */
export const repositoriesUsingGroup: FindGroupUses = async (tx, { id, short_name, project_id }) => {
  const notified = JSON.stringify([{ user_groups: [id] }])
  // Names of groups have letters, digits, `_` and `-` only.
  const named = `@${short_name}(?![A-Za-z0-9_-])`
  const { rows } = await sql<GroupUse>`
    select 'repository' as type, repository.id, repository.name as label from repository
    join repository_access_file access on access.repository_id = repository.id
      and access.version = repository.access_version
    where repository.project_id = ${project_id}
      and (repository.notifications @> ${notified}::jsonb or access.text ~ ${named})
    order by repository.id`.execute(tx)
  return rows
}
