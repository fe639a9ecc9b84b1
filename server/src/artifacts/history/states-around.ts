import { sql } from 'kysely'
import { type Sight, sightOf } from '../../trackers/sight.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findRegardless } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/reading.ts'
import { itsPlace } from '../visibility.ts'
import { mayReadComment, type VersionRow } from './read-versions.ts'
import { type Changeset, representChangesets } from './represent-changesets.ts'

/** What an event is about, by the stamp of the tracker at which the reader was found to see it. */
interface ToldVersion {
  readonly artifact_id: ArtifactId
  readonly version: number
  readonly tracker_id: TrackerId
  readonly stamp: string
}

interface StatesAround {
  readonly sight: Sight
  /** Null: there is nothing of it, or nothing for the viewer. */
  readonly current: Changeset | null
  readonly previous: Changeset | null
}

/**
 * The version that an event tells of and the one before it, with every field in its place, even if the artifact has been
 * deleted since. Whoever asks has looked whether the viewer would see it. Undefined: the tracker has changed meanwhile.
 */
export async function statesAround(
  audience: Audience,
  { artifact_id, version, tracker_id, stamp }: ToldVersion,
): Promise<StatesAround | undefined> {
  const { context, db, viewer } = audience
  const tracker = await context.trackers.at(db, tracker_id, stamp)
  if (tracker?.stamp !== stamp) return undefined
  const sight = await sightOf(db, tracker, viewer)
  const now = await findRegardless(db, sight, artifact_id)
  if (!now) return { sight, current: null, previous: null }
  const told = mayReadComment(sight)
  // Of what lies in the trash others know that it is gone, and who administers the tracker what it was.
  const inSight = sight.administers
    ? sql`true`
    : sql`exists (select from artifact ${itsPlace} where artifact.id = ${artifact_id}
        and artifact.deleted_on is null and tracker.deleted_on is null)`
  const { rows } = await sql<VersionRow>`
    select id, version, submitted_by, submitted_on, false as is_linked, case when ${told} then comment end as comment,
      case when ${told} then comment_format end as comment_format,
      case when ${told} then comment_groups end as comment_groups
    from changeset where artifact_id = ${artifact_id} and version in (${version}::bigint, ${version}::bigint - 1)
      and ${inSight}
    order by version`.execute(db)
  const shown = await representChangesets(audience, now, rows, { values: 'every_field', diff: false })
  const at = (wanted: number) => shown.find((each) => each.version === wanted) ?? null
  return { sight, current: at(version), previous: at(version - 1) }
}
