import { sql } from 'kysely'
import { type TrackerAccess, getTrackerAccess, withAllFields } from '../../trackers/tracker-access.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifactUnchecked } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/audience.ts'
import { joinTrackerAndProject } from '../visibility.ts'
import { mayReadComment, type VisibleVersionRow } from './read-versions.ts'
import { type Changeset, representChangesets } from './represent-changesets.ts'

/** The subject of an event, with the access version of the tracker under which its visibility was checked. */
interface EventSubject {
  readonly artifact_id: ArtifactId
  readonly version: number
  readonly tracker_id: TrackerId
  readonly stamp: string
  /** Every field is readable if the artifact is in this tracker. */
  readonly allFieldsOf?: TrackerId | undefined
}

interface StatesAround {
  readonly access: TrackerAccess
  /** Null if the version does not exist or is hidden from the viewer. */
  readonly current: Changeset | null
  readonly previous: Changeset | null
}

/**
 * The version of an event and the previous one, with all fields, even if the artifact has been deleted since. The
 * caller has checked visibility. Undefined if the tracker has changed meanwhile.
 */
export async function statesAround(
  audience: Audience,
  { artifact_id, version, tracker_id, stamp, allFieldsOf }: EventSubject,
): Promise<StatesAround | undefined> {
  const { context, db, viewer } = audience
  const tracker = await context.trackers.at(db, tracker_id, stamp)
  if (tracker?.stamp !== stamp) return undefined
  const own = await getTrackerAccess(db, tracker, viewer)
  const access = tracker_id === allFieldsOf ? withAllFields(own) : own
  const now = await findArtifactUnchecked(db, access, artifact_id)
  if (!now) return { access, current: null, previous: null }
  const mayRead = mayReadComment(access)
  // The states of a deleted artifact are visible to tracker administrators only.
  const isVisible = access.administers
    ? sql`true`
    : sql`exists (select from artifact ${joinTrackerAndProject} where artifact.id = ${artifact_id}
        and artifact.deleted_on is null and tracker.deleted_on is null)`
  const { rows } = await sql<VisibleVersionRow>`
    select id, version, submitted_by, submitted_on, false as is_linked, case when ${mayRead} then comment end as comment,
      case when ${mayRead} then comment_format end as comment_format,
      case when ${mayRead} then comment_groups end as comment_groups, null as imported_by, null as import_source
    from changeset where artifact_id = ${artifact_id} and version in (${version}::bigint, ${version}::bigint - 1)
      and ${isVisible}
    order by version`.execute(db)
  const shown = await representChangesets(audience, now, rows, { values: 'every_field', diff: false, withoutUri: true })
  const at = (wanted: number) => shown.find((each) => each.version === wanted) ?? null
  return { access, current: at(version), previous: at(version - 1) }
}
