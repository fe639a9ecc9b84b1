import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { viewerIsAdmin, viewerIsInAnyGroup, viewerIsMember } from '../projects/groups/memberships.ts'
import { joinProject } from '../projects/project-sql.ts'
import { mayEnterAs } from '../projects/visibility.ts'
import { accessVersion } from '../trackers/load-tracker.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import { readableFieldIds } from '../trackers/readable-fields.ts'
import { hasGrant, joinTracker } from '../trackers/visibility.ts'
import { wouldSeeArtifact } from './visibility.ts'

/**
 * Like the event visibility of projects, for artifacts. Visibility follows the current tracker of the artifact, not the
 * one at the time of the event. A deleted artifact is visible to those who could see it before, a purged one to tracker
 * administrators. A restricted comment is visible to its groups only. A change of unreadable fields only is hidden.
 * `allFieldsOf`: every field of this tracker is readable.
 */
export function artifactEventVisibility(viewer: Viewer, allFieldsOf?: TrackerId): RawBuilder<unknown> {
  const rows = aliases('artifact', 'tracker', 'project', 'me')
  const enters = mayEnterAs(viewer, rows, viewerIsMember(rows))
  const administers = viewer.is_site_admin
    ? enters
    : sql`(${enters} and (${viewer.account_id === undefined ? sql`false` : viewerIsAdmin(rows)}
        or ${hasGrant(viewer, rows, sql`granted.kind = 'admin'`)}))`
  // Groups of members and administrators are per project: compare them only within the same project.
  const readsAll = allFieldsOf === undefined ? sql`false` : sql`tracker.id = ${allFieldsOf}`
  const isReader = sql`(candidate.project_id = project.id and ${viewerIsInAnyGroup(viewer, rows, readers)})`
  return sql`
    select candidate.id, project.id as project_id, tracker.id as tracker_id, ${accessVersion} as stamp
    from candidate
      left join artifact on artifact.id = case when ${isOfArtifact} then split_part(candidate.object, '/', 2)::bigint end
      ${joinTracker(sql`coalesce(artifact.tracker_id, (candidate.payload ->> 'tracker_id')::bigint)`)}
      ${joinProject(sql`tracker.project_id`)} cross join me
      left join (${readableFieldIds(viewer, changedTrackers)}) readable on readable.id = tracker.id
    where ${isOfArtifact} and case when artifact.id is null then ${administers} else ${wouldSeeArtifact(viewer, rows)} end
      and (candidate.type not like 'comment.%' or not candidate.payload ? 'comment_groups' or ${administers} or ${isReader})
      and (candidate.type <> 'artifact.updated' or artifact.id is null or ${readsAll} or ${showsChange} or ${hasComment}
        and (not candidate.payload ? 'comment_groups' or ${administers} or ${isReader}))`
}

/** The trackers that own the changed fields. */
const changedTrackers = sql<boolean>`tracker.id in (
  select changed.tracker_id from candidate join artifact changed
    on changed.id = case when candidate.type = 'artifact.updated' then split_part(candidate.object, '/', 2)::bigint end)`
const hasComment = sql`coalesce((candidate.payload -> 'has_comment')::boolean, false)`
/** A changed field is readable, or only reverse links changed, which belong to no field of this artifact. */
const showsChange = sql`(
  jsonb_array_length(coalesce(candidate.payload -> 'changed', '[]')) = 0 and not ${hasComment}
  or readable.fields && array(select jsonb_array_elements_text(candidate.payload -> 'changed')::bigint))`

const isOfArtifact = sql`(candidate.type like 'artifact.%' or candidate.type like 'comment.%')`
const readers = sql`array(select jsonb_array_elements_text(candidate.payload -> 'comment_groups')::bigint)`

/** True if the artifact exists and neither it nor its tracker is deleted. */
export function artifactExists(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from artifact ${joinTracker(sql`artifact.tracker_id`)}
    where artifact.id = ${id} and artifact.deleted_on is null and tracker.deleted_on is null)`
}
