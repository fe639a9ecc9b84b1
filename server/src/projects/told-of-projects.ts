import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../platform/http/viewer.ts'
import { amAdmin, amMember } from './groups/memberships.ts'
import { itsProject } from './its-project.ts'
import { mayEnterAs } from './visibility.ts'

/**
 * Which rows of `told`, events of the feed, the viewer may know that are about projects, by the row of `me`
 * (`memberships`), with what each is about: (id, project_id, tracker_id, stamp). Rooms above say the same of theirs.
 */
export function toldOfProjects(viewer: Viewer): RawBuilder<unknown> {
  const enters = mayEnterAs(viewer, amMember)
  const admin = viewer.is_site_admin ? sql`true` : amAdmin
  const mine = sql`(told.payload ->> 'account_id')::bigint = ${viewer.account_id ?? null}::bigint`
  // Whose rights have changed is told so, even if he sees nothing of it any more: he has to forget what he knows.
  const concerned = sql`case when told.payload ? 'account_ids'
    then told.payload -> 'account_ids' @> to_jsonb(${viewer.account_id ?? null}::bigint)
    else ${enters} or ${amMember} end`
  return sql`
    select told.id, project.id as project_id, null::bigint as tracker_id, null::text as stamp
    from told ${itsProject(sql`told.project_id`)} cross join me
    where case
      when told.type in ('project.created', 'project.changed') then ${enters}
      when told.type in ('member.added', 'member.removed') then ${enters} and (${admin} or ${mine})
      when told.type = 'rights.changed' and not told.payload ? 'tracker_id' then ${concerned}
      else false end`
}
