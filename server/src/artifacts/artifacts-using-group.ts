import { sql } from 'kysely'
import type { FindGroupUses, GroupUse } from '../projects/groups/delete-user-group.ts'
import { joinTracker } from '../trackers/visibility.ts'

const MAX_NAMED_TRACKERS = 10

/** Some trackers with artifacts, also deleted ones, that only the group sees, or with comments that only it reads. */
export const artifactsUsingGroup: FindGroupUses = async (tx, { id, project_id }) => {
  const group = sql`array[${id}]::bigint[]`
  const { rows } = await sql<GroupUse>`
    select distinct 'tracker' as type, tracker.id, tracker.label from (
      select artifact.tracker_id from artifact
      where artifact.project_id = ${project_id} and artifact.restricted_to @> ${group}
      union
      select changeset.tracker_id from changeset
      where changeset.project_id = ${project_id} and changeset.comment_groups @> ${group}
    ) found ${joinTracker(sql`found.tracker_id`)}
    order by tracker.id limit ${MAX_NAMED_TRACKERS}`.execute(tx)
  return rows
}
