import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { StoredValues } from '../../trackers/tracker.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'

/** The values before and after a version. */
export interface ReplayedVersion {
  readonly before: StoredValues
  readonly changes: StoredValues
  readonly after: StoredValues
}

/** Versions of an artifact, in the tracker where it is now. */
interface ReplayRequest extends Pick<Artifact, 'id' | 'tracker_id'> {
  readonly versions: readonly number[]
}

/** The same for one artifact. */
export async function replayVersions(
  db: Db | Tx,
  { id, tracker_id }: Pick<Artifact, 'id' | 'tracker_id'>,
  versions: readonly number[],
): Promise<ReadonlyMap<number, ReplayedVersion>> {
  const found = await replayHistories(db, [{ id, tracker_id, versions }])
  return found.get(id) ?? new Map<number, ReplayedVersion>()
}

/**
 * Replays the history of each artifact up to the last of its versions, and records the state at each. The database
 * folds the versions before the first. Values from before a move belong to fields of another tracker and are dropped.
 */
export async function replayHistories(
  db: Db | Tx,
  requests: readonly ReplayRequest[],
): Promise<ReadonlyMap<ArtifactId, ReadonlyMap<number, ReplayedVersion>>> {
  const wanted = requests.filter(({ versions }) => versions.length > 0)
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ id: ArtifactId; version: number; changes: StoredValues }>`
    with wanted as materialized (
      select * from unnest(${wanted.map(({ id }) => id)}::bigint[], ${wanted.map(({ tracker_id }) => tracker_id)}::bigint[],
        ${wanted.map(({ versions }) => Math.min(...versions))}::bigint[],
        ${wanted.map(({ versions }) => Math.max(...versions))}::bigint[]) as request (id, tracker_id, first, last)
    )
    select wanted.id, 0 as version, folded.changes from wanted cross join lateral (
      select coalesce(jsonb_object_agg(each.key, each.value order by changeset.version), '{}') as changes
      from changeset cross join lateral jsonb_each(changeset.changes) each
      where changeset.artifact_id = wanted.id and changeset.tracker_id = wanted.tracker_id
        and changeset.version < wanted.first
    ) folded
    union all
    select wanted.id, step.version, step.changes from wanted cross join lateral (
      select changeset.version, case changeset.tracker_id when wanted.tracker_id then changes else '{}' end as changes
      from changeset where changeset.artifact_id = wanted.id and changeset.version between wanted.first and wanted.last
    ) step
    order by 1, 2`.execute(db)
  const stepsOf = Map.groupBy(rows, ({ id }) => id)
  return new Map(wanted.map(({ id, versions }) => [id, fold(stepsOf.get(id) ?? [], new Set(versions))]))
}

function fold(
  rows: readonly { readonly version: number; readonly changes: StoredValues }[],
  wanted: ReadonlySet<number>,
): ReadonlyMap<number, ReplayedVersion> {
  const steps = new Map<number, ReplayedVersion>()
  let before: StoredValues = {}
  for (const { version, changes } of rows) {
    const after = { ...before, ...changes }
    if (wanted.has(version)) steps.set(version, { before, changes, after })
    before = after
  }
  return steps
}
