import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { fromTracker } from '../../trackers/visibility.ts'
import { runSearch } from '../search/run-search.ts'
import { isVisibleInTracker } from '../visibility.ts'
import { plainFields } from './read-versions.ts'

export interface ChangeRange {
  /** Undefined: from the first change. */
  readonly from: Date | undefined
  readonly to: Date
  readonly steps: number
}

export interface ChangeCounts {
  /** The access version of the tracker in the same snapshot. */
  readonly stamp: string
  readonly total: number
  readonly first: Date | null
  readonly last: Date | null
  readonly steps: readonly number[]
}

/** The versions of all artifacts of a tracker are read, as by other searches of the past. */
const BUDGET = { cause: 'as_of', milliseconds: 5000 } as const

/** Counts the visible changes of a tracker in one statement and therefore one snapshot. */
export async function findChangeCounts(
  db: Db | Tx,
  access: TrackerAccess,
  range: ChangeRange,
): Promise<ChangeCounts | undefined> {
  const { rows } = await runSearch(db, changesStatement(access, range), BUDGET)
  return rows[0]
}

function changesStatement(access: TrackerAccess, { from, to, steps }: ChangeRange): RawBuilder<ChangeCounts> {
  const since = from
    ? sql`changeset.submitted_on > ${from}::timestamptz - interval '1 second' and ${ROUNDED} >= ${from}`
    : sql`true`
  return sql<ChangeCounts>`
    with change as materialized (
      select ${ROUNDED} as at from changeset join artifact on artifact.id = changeset.artifact_id
      where ${isVisibleInTracker(access)} and (changeset.version = 1 or changeset.changes ?| ${plainFields(access)}::text[])
        and changeset.submitted_on <= ${to} and ${since}
    ), whole as (
      select count(*) as total, min(at) as first, max(at) as last, coalesce(${from ?? null}::timestamptz, min(at)) as start
      from change
    ), counted as (
      select least(${steps}, 1 + floor(coalesce(
        extract(epoch from change.at - whole.start) / nullif(extract(epoch from ${to}::timestamptz - whole.start), 0), 0
      ) * ${steps}::int))::int as step, count(*) as count
      from change cross join whole group by step
    )
    select ${accessVersion} as stamp, whole.total, whole.first, whole.last, array(
      select coalesce(counted.count, 0)::int from generate_series(1, ${steps}::int) as step (number)
      left join counted on counted.step = step.number order by step.number
    ) as steps
    from whole cross join ${fromTracker(access.tracker.id)}`
}

/** Dates of the API have whole seconds; the state as of the rounded moment includes the change. */
const ROUNDED = sql`date_trunc('second', changeset.submitted_on + interval '999999 microseconds')`
