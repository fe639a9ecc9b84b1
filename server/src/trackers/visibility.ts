import { type RawBuilder, sql } from 'kysely'
import { type Aliases, aliases, type Join, joining } from '../platform/database/aliases.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { inGroup } from '../projects/groups/in-group.ts'
import { viewerIsAdmin, viewerIsInGroup, viewerIsMember } from '../projects/groups/memberships.ts'
import { joinProject } from '../projects/project-sql.ts'
import { mayEnter, mayEnterAs } from '../projects/visibility.ts'
import type { TrackerId } from './tracker.ts'

/** Whether the viewer administers the statement's `tracker` row, given that they may enter its `project` row. */
export function administers(viewer: Viewer, rows: Aliases<'tracker' | 'project'>): RawBuilder<boolean> {
  if (viewer.is_site_admin) return sql`true`
  if (viewer.account_id === undefined) return sql`false`
  return sql`(${inGroup(viewer, rows, sql`4`)} or exists (
    select from tracker_grant admin where admin.tracker_id = tracker.id and admin.kind = 'admin'
      and ${inGroup(viewer, rows, sql`admin.group_id`)}))`
}

/** Whether the viewer may see the statement's `tracker` row in its `project` row. */
export function maySeeTracker(viewer: Viewer, rows: Aliases<'tracker' | 'project'>): RawBuilder<boolean> {
  if (viewer.is_site_admin) return sql`(tracker.deleted_on is null and ${mayEnter(viewer, rows)})`
  return sql`(tracker.deleted_on is null and ${mayEnter(viewer, rows)} and ${isGranted(viewer, rows)})`
}

/** Whether the `tracker` row is granted to the viewer, given that they may enter its project. */
export function isGranted(viewer: Viewer, rows: Aliases<'tracker' | 'project'>): RawBuilder<boolean> {
  return sql`(exists (select from tracker_grant granted where granted.tracker_id = tracker.id
    and ${inGroup(viewer, rows, sql`granted.group_id`)}) or ${inGroup(viewer, rows, sql`4`)})`
}

/**
 * Whether a grant of the `tracker` row matches and is for a group of the viewer, using the row of `me`
 * (`projects/groups/memberships.ts`). The grant row is `granted`.
 */
export function hasGrant(
  viewer: Viewer,
  rows: Aliases<'tracker' | 'project' | 'me'>,
  matches: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`exists (select from tracker_grant granted where granted.tracker_id = tracker.id
    and ${viewerIsInGroup(viewer, rows, sql`granted.group_id`)} and ${matches})`
}

/** Joins the `tracker` row to a statement on data below it. */
export function joinTracker(id: RawBuilder<unknown>): Join<'tracker'> {
  return joining(sql`join tracker on tracker.id = ${id}`, 'tracker')
}

/** One tracker and its project, as SQL for the `from` clause of another module's statement. */
export function fromTracker(id: TrackerId): Join<'tracker' | 'project'> {
  return joining(sql`tracker ${joinProject(sql`tracker.project_id`)} where tracker.id = ${id}`, 'tracker', 'project')
}

/** Trackers whose unrestricted artifacts the viewer may all see; uses the row of `me`. */
export function fullyVisibleTrackers(viewer: Viewer): RawBuilder<unknown> {
  const rows = aliases('tracker', 'project', 'me')
  const enters = mayEnterAs(viewer, rows, viewerIsMember(rows))
  const isOpen = viewer.is_site_admin
    ? enters
    : sql`(${enters} and (${viewerIsAdmin(rows)} or ${hasGrant(viewer, rows, sql`granted.kind in ('full', 'admin')`)}))`
  return sql`tracker ${joinProject(sql`tracker.project_id`)} cross join me where tracker.deleted_on is null and ${isOpen}`
}

/** The same for several trackers; `ids` may be an SQL array. */
export function fromTrackers(ids: readonly TrackerId[] | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`tracker ${joinProject(sql`tracker.project_id`)} where tracker.id = any(${ids}::bigint[])`
}
