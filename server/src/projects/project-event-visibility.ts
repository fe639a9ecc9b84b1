import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { viewerIsAdmin, viewerIsMember } from './groups/memberships.ts'
import { joinProject } from './project-sql.ts'
import { isWithinKey, mayEnterAs } from './visibility.ts'

/**
 * The rows of `candidate` (feed events) about projects that the viewer may know, with their subject: (id, project_id,
 * tracker_id, stamp). It uses the row of `me` (`memberships`). Modules above do the same for their events.
 */
export function projectEventVisibility(viewer: Viewer): RawBuilder<unknown> {
  const rows = aliases('project', 'me')
  const enters = mayEnterAs(viewer, rows, viewerIsMember(rows))
  const admin = viewer.is_site_admin ? sql`true` : viewerIsAdmin(rows)
  const mine = sql`(candidate.payload ->> 'account_id')::bigint = ${viewer.account_id ?? null}::bigint`
  // Accounts whose permissions changed are notified even if they lost all access, so that clients drop cached data.
  const concerned = sql`${isWithinKey(viewer, rows)} and case when candidate.payload ? 'account_ids'
    then candidate.payload -> 'account_ids' @> to_jsonb(${viewer.account_id ?? null}::bigint)
    else ${enters} or ${viewerIsMember(rows)} end`
  return sql`
    select candidate.id, project.id as project_id, null::bigint as tracker_id, null::text as stamp
    from candidate ${joinProject(sql`candidate.project_id`)} cross join me
    where case
      when candidate.type in ('project.created', 'project.changed', 'project.imported') then ${enters}
      when candidate.type in ('member.added', 'member.removed') then ${enters} and (${admin} or ${mine})
      when candidate.type = 'rights.changed' and not candidate.payload ? 'tracker_id' then ${concerned}
      else false end`
}
