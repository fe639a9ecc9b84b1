import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'

/** The values before and after a version. */
export interface ReplayedVersion {
  readonly before: StoredValues
  readonly changes: StoredValues
  readonly after: StoredValues
}

/**
 * Replays the history up to the last of these versions, and records the state at each. The database folds the versions
 * before the first. Values from before a move belong to fields of another tracker and are dropped.
 */
export async function replayVersions(
  db: Db | Tx,
  { id, tracker_id }: Pick<Artifact, 'id' | 'tracker_id'>,
  versions: readonly number[],
): Promise<ReadonlyMap<number, ReplayedVersion>> {
  const steps = new Map<number, ReplayedVersion>()
  if (versions.length === 0) return steps
  const [first, last] = [Math.min(...versions), Math.max(...versions)]
  const wanted = new Set(versions)
  const { rows } = await sql<{ version: number; changes: StoredValues }>`
    select 0 as version, coalesce(jsonb_object_agg(each.key, each.value order by changeset.version), '{}') as changes
    from changeset cross join lateral jsonb_each(changeset.changes) each
    where artifact_id = ${id} and tracker_id = ${tracker_id} and changeset.version < ${first}
    union all
    select version, case tracker_id when ${tracker_id} then changes else '{}' end from changeset
    where artifact_id = ${id} and version between ${first} and ${last}
    order by version`.execute(db)
  let before: StoredValues = {}
  for (const { version, changes } of rows) {
    const after = { ...before, ...changes }
    if (wanted.has(version)) steps.set(version, { before, changes, after })
    before = after
  }
  return steps
}
