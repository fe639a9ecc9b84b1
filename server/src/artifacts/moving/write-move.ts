import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { countArtifacts, drawNumbers } from '../../trackers/counter.ts'
import { type LoadedTracker, stamp } from '../../trackers/load-tracker.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import { artifactColumns } from '../reading/find-artifact.ts'
import { itsPlace } from '../visibility.ts'
import { versionParts } from '../writing/parts.ts'
import type { NewVersion } from '../writing/write-version.ts'

interface Move {
  readonly from: LoadedTracker
  readonly to: LoadedTracker
  readonly values: StoredValues
  readonly version: NewVersion
}

/**
 * Moves an artifact: its row, its place in the indexes, the counts of both trackers, and the version that records it; one
 * statement. What refers to it by its id follows by itself, also into another project. Undefined, and nothing written: it
 * or the rights in one of the trackers are no longer what the caller has looked at.
 */
export async function writeMove(
  tx: Tx,
  before: Artifact,
  { from, to, values, version }: Move,
): Promise<Artifact | undefined> {
  const { effects, author, now } = version
  const { rows } = await sql<Artifact>`
    with place as (
      select artifact.id, artifact.tracker_id from artifact ${itsPlace}
      where artifact.id = ${before.id} and artifact.version = ${before.version} and artifact.deleted_on is null
        and artifact.tracker_id = ${from.id} and ${stamp} = ${from.stamp}
    ), counted as (${drawNumbers(to, 1, sql`exists (select from place)`)}), after as (
      update artifact set
        project_id = counted.project_id,
        tracker_id = counted.tracker_id,
        number = counted.last_number,
        version = artifact.version + 1,
        field_values = ${JSON.stringify(values)}::jsonb,
        people = ${effects.people}::bigint[],
        restricted_to = ${effects.restricted_to}::bigint[],
        last_update_by = ${author}::bigint,
        last_modified_date = greatest(${now}::timestamptz, artifact.last_modified_date + interval '1 microsecond'),
        last_modified = greatest(date_trunc('second', ${now}::timestamptz), artifact.last_modified + interval '1 second')
      from counted, place
      where artifact.id = place.id
      returning ${artifactColumns}
    ), left_behind as (
      ${countArtifacts(sql`(select place.tracker_id from place, counted) as left_one`, -1)}
    ), ids_left as (
      delete from value_index using after where value_index.artifact_id = after.id
    ), numbers_left as (
      delete from number_index using after where number_index.artifact_id = after.id
    ), references_left as (
      delete from artifact_reference using after
      where artifact_reference.artifact_id = after.id and artifact_reference.field_id <> 0
    ), ${versionParts(version)}
    select * from after`.execute(tx)
  return rows[0]
}
