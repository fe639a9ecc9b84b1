import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { viewerIsAdmin, viewerIsMember } from '../projects/groups/memberships.ts'
import { joinProject } from '../projects/project-sql.ts'
import { mayEnterAs } from '../projects/visibility.ts'

/**
 * Like `projectEventVisibility`, for repositories. Settings events are visible to repository administrators only;
 * commit events to signed-in users, because there is no anonymous Subversion.
 */
export function repositoryEventVisibility(viewer: Viewer): RawBuilder<unknown> {
  const rows = aliases('project', 'me')
  const isSignedIn = sql`${viewer.account_id !== undefined}::boolean`
  const administers = viewer.is_site_admin
    ? sql`true`
    : sql`(${viewerIsAdmin(rows)} or project.id = any(me.svn_admin_of))`
  return sql`
    select candidate.id, project.id as project_id, null::bigint as tracker_id, null::text as stamp
    from candidate ${joinProject(sql`candidate.project_id`)} cross join me
    where ${mayEnterAs(viewer, rows, viewerIsMember(rows))} and case candidate.type
      when 'svn.created' then true
      when 'svn.deleted' then true
      when 'svn.commit' then ${isSignedIn}
      when 'svn.changed' then ${administers}
      else false end`
}
