import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { drawNumbers } from '../../trackers/counter.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Artifact } from '../artifact.ts'
import { artifactColumns } from '../reading/find-artifact.ts'
import { versionParts } from './parts.ts'
import type { NewVersion } from './write-version.ts'

/**
 * The artifact and its first version, by one statement. Its number is drawn under the lock of the tracker's counter,
 * and its id after that, so that both rise together. Undefined: the rights in the tracker are not what the caller has
 * looked at.
 */
export async function insertArtifact(
  db: Db | Tx,
  tracker: LoadedTracker,
  version: NewVersion,
): Promise<Artifact | undefined> {
  const { effects, author, now } = version
  const { rows } = await sql<Artifact>`
    with counted as (${drawNumbers(tracker)}), after as (
      insert into artifact (project_id, tracker_id, number, field_values, people, restricted_to, submitted_by,
        submitted_on, last_update_by, last_modified_date, last_modified)
      select counted.project_id, counted.tracker_id, counted.last_number, ${version.changes}::jsonb,
        ${effects.people}::bigint[], ${effects.restricted_to}::bigint[], ${author}::bigint, ${now}::timestamptz,
        ${author}::bigint, ${now}::timestamptz, date_trunc('second', ${now}::timestamptz)
      from counted
      returning ${artifactColumns}
    ), ${versionParts(version)}
    select * from after`.execute(db)
  return rows[0]
}
