import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../platform/http/viewer.ts'
import { inGroup } from '../projects/groups/in-group.ts'
import { amAdmin, amIn, amMember } from '../projects/groups/memberships.ts'
import { itsProject } from '../projects/its-project.ts'
import { mayEnter, mayEnterAs } from '../projects/visibility.ts'
import type { TrackerId } from './tracker.ts'

/** Whether the viewer administers the row of `tracker` in the row of `project` that the statement looks at, if he may enter it. */
export function administers(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.is_site_admin) return sql`true`
  if (viewer.account_id === undefined) return sql`false`
  return sql`(${inGroup(viewer, sql`4`)} or exists (
    select from tracker_grant admin where admin.tracker_id = tracker.id and admin.kind = 'admin'
      and ${inGroup(viewer, sql`admin.group_id`)}))`
}

/** Whether the viewer sees the row of `tracker` in the row of `project` that the statement looks at. */
export function maySeeTracker(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.is_site_admin) return sql`(tracker.deleted_on is null)`
  return sql`(tracker.deleted_on is null and ${mayEnter(viewer)} and ${isGranted(viewer)})`
}

/** Whether the row of `tracker` is for the viewer, who may enter its project. */
export function isGranted(viewer: Viewer): RawBuilder<boolean> {
  return sql`(exists (select from tracker_grant granted where granted.tracker_id = tracker.id
    and ${inGroup(viewer, sql`granted.group_id`)}) or ${inGroup(viewer, sql`4`)})`
}

/**
 * Whether one of the grants of the row of `tracker` is for a group of the viewer, by the row of `me`
 * (`projects/groups/memberships.ts`), and matches: its row is `granted`.
 */
export function haveGrant(viewer: Viewer, matches: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from tracker_grant granted where granted.tracker_id = tracker.id
    and ${amIn(viewer, sql`granted.group_id`)} and ${matches})`
}

/** Brings the row of `tracker` into a statement on what is below it. */
export function itsTracker(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`join tracker on tracker.id = ${id}`
}

/** One tracker and its project, for the `from` of a statement of another room. */
export function oneTracker(id: TrackerId): RawBuilder<unknown> {
  return sql`tracker ${itsProject(sql`tracker.project_id`)} where tracker.id = ${id}`
}

/** Those whose artifacts the viewer all sees, unless single ones are restricted; by the row of `me`. */
export function openTrackers(viewer: Viewer): RawBuilder<unknown> {
  const admin = viewer.account_id === undefined ? sql`false` : amAdmin
  const isOpen = viewer.is_site_admin
    ? sql`true`
    : sql`(${mayEnterAs(viewer, amMember)}
        and (${admin} or ${haveGrant(viewer, sql`granted.kind in ('full', 'admin')`)}))`
  return sql`tracker ${itsProject(sql`tracker.project_id`)} cross join me where tracker.deleted_on is null and ${isOpen}`
}

/** The same of several. */
export function theseTrackers(ids: readonly TrackerId[]): RawBuilder<unknown> {
  return sql`tracker ${itsProject(sql`tracker.project_id`)} where tracker.id = any(${ids}::bigint[])`
}
