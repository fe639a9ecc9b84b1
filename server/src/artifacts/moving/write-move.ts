import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { countArtifacts, drawNumbers } from '../../trackers/counter.ts'
import { type LoadedTracker, accessVersion } from '../../trackers/load-tracker.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import { artifactColumns } from '../reading/look-rows.ts'
import { joinTrackerAndProject } from '../visibility.ts'
import type { NewVersion } from '../update-artifact/derived-rows.ts'
import { versionCtes } from '../update-artifact/version-ctes.ts'

interface Move {
  readonly from: LoadedTracker
  readonly to: LoadedTracker
  readonly values: StoredValues
  readonly version: NewVersion
}

/**
 * Moves an artifact in one statement: its row, index rows, the counts of both trackers, and the version that records
 * the move. Rows that refer to it by id need no change. Undefined if the artifact or the permissions in a tracker have
 * changed since the caller read them; then nothing is written.
 */
export async function writeMove(
  tx: Tx,
  before: Artifact,
  { from, to, values, version }: Move,
): Promise<Artifact | undefined> {
  const { derived, author, now } = version
  const { rows } = await sql<Artifact>`
    with current as (
      select artifact.id, artifact.tracker_id from artifact ${joinTrackerAndProject}
      where artifact.id = ${before.id} and artifact.version = ${before.version} and artifact.deleted_on is null
        and artifact.tracker_id = ${from.id} and ${accessVersion} = ${from.stamp}
    ), counted as (${drawNumbers(to, 1, sql`exists (select from current)`)}), after as (
      update artifact set
        project_id = counted.project_id,
        tracker_id = counted.tracker_id,
        number = counted.last_number,
        rank = nextval(pg_get_serial_sequence('artifact', 'rank')),
        version = artifact.version + 1,
        field_values = ${JSON.stringify(values)}::jsonb,
        people = ${derived.people}::bigint[],
        restricted_to = ${derived.restricted_to}::bigint[],
        last_update_by = ${author}::bigint,
        last_modified_date = greatest(${now}::timestamptz, artifact.last_modified_date + interval '1 microsecond'),
        last_modified = greatest(date_trunc('second', ${now}::timestamptz), artifact.last_modified + interval '1 second')
      from counted, current
      where artifact.id = current.id
      returning ${artifactColumns}
    ), left_behind as (
      ${countArtifacts(sql`(select current.tracker_id from current, counted) as left_one`, -1)}
    ), ids_left as (
      delete from value_index using after where value_index.artifact_id = after.id
    ), numbers_left as (
      delete from number_index using after where number_index.artifact_id = after.id
    ), references_left as (
      delete from artifact_reference using after
      where artifact_reference.artifact_id = after.id and artifact_reference.field_id <> 0
    ), ${versionCtes(version)}
    select * from after`.execute(tx)
  return rows[0]
}
