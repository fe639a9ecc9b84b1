import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../platform/http/viewer.ts'
import { amAdmin, amMember } from '../projects/groups/memberships.ts'
import { itsProject } from '../projects/its-project.ts'
import { mayEnterAs } from '../projects/visibility.ts'

/**
 * The same as `toldOfProjects` for repositories. Settings are for those who administer them, so only they are told that
 * these have changed; there is no anonymous Subversion, so commits are told to those who have signed in.
 */
export function toldOfRepositories(viewer: Viewer): RawBuilder<unknown> {
  const isSignedIn = sql`${viewer.account_id !== undefined}::boolean`
  const administers = viewer.is_site_admin ? sql`true` : sql`(${amAdmin} or project.id = any(me.svn_admin_of))`
  return sql`
    select told.id, project.id as project_id, null::bigint as tracker_id, null::text as stamp
    from told ${itsProject(sql`told.project_id`)} cross join me
    where ${mayEnterAs(viewer, amMember)} and case told.type
      when 'svn.created' then true
      when 'svn.deleted' then true
      when 'svn.commit' then ${isSignedIn}
      when 'svn.changed' then ${administers}
      else false end`
}
