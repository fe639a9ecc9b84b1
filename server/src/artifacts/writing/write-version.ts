import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { stamp } from '../../trackers/load-tracker.ts'
import type { LoadedTracker } from '../../trackers/load-tracker.ts'
import type { Artifact } from '../artifact.ts'
import { artifactColumns } from '../reading/find-artifact.ts'
import { itsPlace } from '../visibility.ts'
import { type VersionParts, versionParts } from './parts.ts'

export interface NewVersion extends VersionParts {
  readonly author: AccountId | null
  readonly now: Date
}

/**
 * Compare and swap, history, indexes and event: one statement, one round trip. Nothing is written, and undefined is
 * answered, if the artifact or the rights in its tracker are no longer what the caller has looked at.
 */
export async function writeVersion(
  db: Db | Tx,
  before: Pick<Artifact, 'id' | 'version'>,
  tracker: Pick<LoadedTracker, 'stamp'>,
  version: NewVersion,
): Promise<Artifact | undefined> {
  const { effects, author, now } = version
  const { rows } = await sql<Artifact>`
    with place as (
      select artifact.id from artifact ${itsPlace} where artifact.id = ${before.id} and ${stamp} = ${tracker.stamp}
    ), after as (
      update artifact set
        version = artifact.version + 1,
        field_values = artifact.field_values || ${version.changes}::jsonb,
        people = ${effects.people}::bigint[],
        restricted_to = ${effects.restricted_to}::bigint[],
        last_update_by = ${author}::bigint,
        last_modified_date = greatest(${now}::timestamptz, artifact.last_modified_date + interval '1 microsecond'),
        last_modified = greatest(date_trunc('second', ${now}::timestamptz), artifact.last_modified + interval '1 second')
      from place
      where artifact.id = place.id and artifact.version = ${before.version} and artifact.deleted_on is null
      returning ${artifactColumns}
    ), ${versionParts(version)}
    select * from after`.execute(db)
  return rows[0]
}
