import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { viewerIsAdmin, viewerIsMember } from '../projects/groups/memberships.ts'
import { joinProject } from '../projects/project-sql.ts'
import { mayEnterAs } from '../projects/visibility.ts'
import { hasGrant } from './visibility.ts'

/**
 * Like the visibility of project events, for trackers including deleted ones; events of a purged tracker are visible to
 * administrators of the project only. A permission change is visible to all viewers of the project, because the
 * previous viewers of the tracker are unknown; its tracker id is visible only to current viewers.
 */
export function trackerEventVisibility(viewer: Viewer): RawBuilder<unknown> {
  const rows = aliases('tracker', 'project', 'me')
  const admin = viewer.is_site_admin ? sql`true` : viewerIsAdmin(rows)
  const sees = sql`(${admin} or tracker.id is not null and ${hasGrant(viewer, rows, sql`true`)})`
  return sql`
    select candidate.id, project.id as project_id, case when ${sees} then tracker.id end as tracker_id, null::text as stamp
    from candidate left join tracker on tracker.id = (candidate.payload ->> 'tracker_id')::bigint
      ${joinProject(sql`candidate.project_id`)} cross join me
    where case
      when candidate.type like 'tracker.%' then ${mayEnterAs(viewer, rows, viewerIsMember(rows))} and ${sees}
      when candidate.type = 'rights.changed' and candidate.payload ? 'tracker_id' then
        ${mayEnterAs(viewer, rows, viewerIsMember(rows))} or ${viewerIsMember(rows)}
      else false end`
}

/** Whether the tracker with this id exists and is not deleted. */
export function trackerExists(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from tracker where tracker.id = ${id} and tracker.deleted_on is null)`
}
