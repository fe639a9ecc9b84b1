import { type RawBuilder, sql } from 'kysely'
import { type TrackerAccess, getTrackerAccess, withAllFields } from '../../trackers/tracker-access.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifactsUnchecked } from '../reading/find-artifact.ts'
import type { Audience } from '../reading/audience.ts'
import { joinTrackerAndProject } from '../visibility.ts'
import { mayReadComment, type VisibleVersionRow } from './read-versions.ts'
import { type Changeset, representHistories } from './represent-changesets.ts'

/** The subject of an event, with the access version of the tracker under which its visibility was checked. */
export interface EventSubject {
  readonly artifact_id: ArtifactId
  readonly version: number
  readonly tracker_id: TrackerId
  readonly stamp: string
}

export interface StatesAround {
  readonly access: TrackerAccess
  /** Null if the version does not exist or is hidden from the viewer. */
  readonly current: Changeset | null
  readonly previous: Changeset | null
}

/**
 * For each event its version and the previous one, with all fields, even if the artifact has been deleted since. The
 * caller has checked visibility. `allFieldsOf`: every field is readable if the artifact is in this tracker. Undefined
 * if a tracker has changed meanwhile. The number of statements depends on the number of trackers only.
 */
export async function statesAround<Subject extends EventSubject>(
  audience: Audience,
  subjects: readonly Subject[],
  allFieldsOf?: TrackerId,
): Promise<ReadonlyMap<Subject, StatesAround> | undefined> {
  const { context, db, viewer } = audience
  const found = new Map<Subject, StatesAround>()
  for (const [tracker_id, inTracker] of Map.groupBy(subjects, (subject) => subject.tracker_id)) {
    const stamp = inTracker[0]?.stamp ?? ''
    const tracker = await context.trackers.at(db, tracker_id, stamp)
    if (!tracker || inTracker.some((subject) => subject.stamp !== tracker.stamp)) return undefined
    const own = await getTrackerAccess(db, tracker, viewer)
    const access = tracker_id === allFieldsOf ? withAllFields(own) : own
    const changesets = await loadChangesets(audience, access, inTracker)
    for (const subject of inTracker) {
      const at = (version: number) =>
        changesets.get(subject.artifact_id)?.find((changeset) => changeset.version === version) ?? null
      found.set(subject, { access, current: at(subject.version), previous: at(subject.version - 1) })
    }
  }
  return found
}

async function loadChangesets(
  audience: Audience,
  access: TrackerAccess,
  subjects: readonly EventSubject[],
): Promise<ReadonlyMap<ArtifactId, readonly Changeset[]>> {
  const artifacts = await findArtifactsUnchecked(audience.db, access, [
    ...new Set(subjects.map(({ artifact_id }) => artifact_id)),
  ])
  const rowsOf = Map.groupBy(await readVersionsAround(audience, access, subjects), ({ artifact_id }) => artifact_id)
  const histories = artifacts.flatMap((now) => {
    const rows = rowsOf.get(now.artifact.id)
    return rows ? [{ now, rows }] : []
  })
  const form = { values: 'every_field', diff: false, withoutUri: true } as const
  const shown = histories.length > 0 ? await representHistories(audience, access, histories, form) : []
  return new Map(histories.map(({ now }, at) => [now.artifact.id, shown[at] ?? []]))
}

async function readVersionsAround(
  { db }: Audience,
  access: TrackerAccess,
  subjects: readonly EventSubject[],
): Promise<(VisibleVersionRow & { readonly artifact_id: ArtifactId })[]> {
  const mayRead = mayReadComment(access)
  const { rows } = await sql<VisibleVersionRow & { artifact_id: ArtifactId }>`
    with wanted as materialized (
      select distinct subject.artifact_id, subject.version - step.back as version
      from unnest(${subjects.map(({ artifact_id }) => artifact_id)}::bigint[],
        ${subjects.map(({ version }) => version)}::bigint[]) as subject (artifact_id, version), (values (0), (1)) as step (back)
    )
    select changeset.artifact_id, changeset.id, changeset.version, submitted_by, submitted_on, false as is_linked,
      case when ${mayRead} then comment end as comment,
      case when ${mayRead} then comment_format end as comment_format,
      case when ${mayRead} then comment_groups end as comment_groups, null::integer as comment_version,
      null::bigint as comment_edited_by, null::timestamptz as comment_edited_on, false as is_comment_deleted,
      null as reactions, null as imported_by, null as import_source
    from wanted cross join lateral (select * from changeset where changeset.artifact_id = wanted.artifact_id
      and changeset.version = wanted.version offset 0) changeset
    where ${isVisible(access)}
    order by changeset.artifact_id, changeset.version`.execute(db)
  return rows
}

/** The states of a deleted artifact are visible to tracker administrators only. */
function isVisible({ administers }: TrackerAccess): RawBuilder<boolean> {
  return administers
    ? sql`true`
    : sql`exists (select from artifact ${joinTrackerAndProject} where artifact.id = changeset.artifact_id
        and artifact.deleted_on is null and tracker.deleted_on is null)`
}
