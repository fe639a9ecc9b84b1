import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../platform/http/viewer.ts'
import { amAdmin, amInOneOf, amMember } from '../projects/groups/memberships.ts'
import { itsProject } from '../projects/its-project.ts'
import { mayEnterAs } from '../projects/visibility.ts'
import { stamp } from '../trackers/load-tracker.ts'
import { haveGrant, itsTracker } from '../trackers/visibility.ts'
import { wouldSeeArtifact } from './visibility.ts'

/**
 * The same as `toldOfProjects` for artifacts. Each is where it is now, whatever tracker it was in; a deleted one is told of
 * to those who would see it, a purged one to those who administer its tracker. Of
 * a comment for few only they are told.
 */
export function toldOfArtifacts(viewer: Viewer): RawBuilder<unknown> {
  const administers = viewer.is_site_admin
    ? sql`true`
    : sql`(${mayEnterAs(viewer, amMember)} and (${viewer.account_id === undefined ? sql`false` : amAdmin}
        or ${haveGrant(viewer, sql`granted.kind = 'admin'`)}))`
  return sql`
    select told.id, project.id as project_id, tracker.id as tracker_id, ${stamp} as stamp
    from told
      left join artifact on artifact.id = case when ${isOfArtifact} then split_part(told.object, '/', 2)::bigint end
      ${itsTracker(sql`coalesce(artifact.tracker_id, (told.payload ->> 'tracker_id')::bigint)`)}
      ${itsProject(sql`tracker.project_id`)} cross join me
    where ${isOfArtifact} and case when artifact.id is null then ${administers} else ${wouldSeeArtifact(viewer)} end
      and (told.type not like 'comment.%' or not told.payload ? 'comment_groups' or ${administers}
        or ${amInOneOf(viewer, readers)})`
}

const isOfArtifact = sql`(told.type like 'artifact.%' or told.type like 'comment.%')`
const readers = sql`array(select jsonb_array_elements_text(told.payload -> 'comment_groups')::bigint)`

/** Whether the artifact with this id is there, neither deleted itself nor with its tracker. */
export function artifactIsThere(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from artifact ${itsTracker(sql`artifact.tracker_id`)}
    where artifact.id = ${id} and artifact.deleted_on is null and tracker.deleted_on is null)`
}
