import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../platform/http/viewer.ts'
import { amAdmin, amMember } from '../projects/groups/memberships.ts'
import { itsProject } from '../projects/its-project.ts'
import { mayEnterAs } from '../projects/visibility.ts'
import { haveGrant } from './visibility.ts'

/**
 * The same as `toldOfProjects` for trackers, deleted ones among them; of one that is purged only who administers the
 * project is told. That rights in a tracker changed is told to all who see the project, for who saw it before is not
 * known any more; which tracker it was, only to those who see it.
 */
export function toldOfTrackers(viewer: Viewer): RawBuilder<unknown> {
  const admin = viewer.is_site_admin ? sql`true` : amAdmin
  const sees = sql`(${admin} or tracker.id is not null and ${haveGrant(viewer, sql`true`)})`
  return sql`
    select told.id, project.id as project_id, case when ${sees} then tracker.id end as tracker_id, null::text as stamp
    from told left join tracker on tracker.id = (told.payload ->> 'tracker_id')::bigint
      ${itsProject(sql`told.project_id`)} cross join me
    where case
      when told.type like 'tracker.%' then ${mayEnterAs(viewer, amMember)} and ${sees}
      when told.type = 'rights.changed' and told.payload ? 'tracker_id' then
        ${mayEnterAs(viewer, amMember)} or ${amMember}
      else false end`
}

/** Whether the tracker with this id is there and not deleted. */
export function trackerIsThere(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from tracker where tracker.id = ${id} and tracker.deleted_on is null)`
}
