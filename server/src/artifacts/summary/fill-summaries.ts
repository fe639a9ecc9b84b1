import { type RawBuilder, sql } from 'kysely'
import type { BackFill, BackFillBatch } from '../../platform/database/back-fill.ts'
import type { Tx } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import { renewAccessVersions } from '../../trackers/renew-access-versions.ts'
import type { TrackerId } from '../../trackers/tracker.ts'

const BATCH_SIZE = 1000

/** The rows of all artifacts, in order of id. */
const summaries: BackFill = {
  name: 'artifact_summary',
  fill: (tx, batch) => fillBatch(tx, batch, byId),
  compare: (tx, batch) => compareBatch(tx, batch, byId),
  onVerified: (tx) => renewAccessVersions(tx),
}

/** The rows of one tracker after another field has become its title, in order of number. */
const titles: BackFill = {
  name: 'artifact_titles',
  fill: (tx, batch) => fillBatch(tx, batch, byNumber),
  compare: (tx, batch) => compareBatch(tx, batch, byNumber),
  onVerified: (tx, scope) => renewAccessVersions(tx, toId<TrackerId>(scope)),
}

export const SUMMARY_BACK_FILLS: readonly BackFill[] = [summaries, titles]

/** Artifacts after the place of a batch, in their order. */
interface Way {
  readonly place: RawBuilder<unknown>
  readonly source: (batch: BackFillBatch) => RawBuilder<unknown>
  /** Summaries between two places; those without an artifact are differences. */
  readonly summaries: (from: number, to: number | null) => RawBuilder<unknown>
}

const byId: Way = {
  place: sql`artifact.id`,
  source: ({ place }) => sql`artifact where artifact.id > ${place}`,
  summaries: (from, to) =>
    sql`artifact_summary.id > ${from} and (${to}::bigint is null or artifact_summary.id <= ${to}::bigint)`,
}

const byNumber: Way = {
  place: sql`artifact.number`,
  source: ({ scope, place }) => sql`artifact where artifact.tracker_id = ${scope} and artifact.number > ${place}`,
  summaries: () => sql`artifact_summary.id in (select wanted.id from wanted)`,
}

/**
 * Two statements: the second one has a later snapshot, which sees what writers have committed while the first one waited
 * for them. The lock makes later writers wait, and their triggers write after the batch.
 */
async function fillBatch(tx: Tx, batch: BackFillBatch, { place, source }: Way) {
  const { rows: locked } = await sql<{ id: number; place: number }>`
    select artifact.id, ${place} as place from ${source(batch)} order by ${place} limit ${BATCH_SIZE} for share`.execute(
    tx,
  )
  const { numAffectedRows = 0n } = await sql`
    insert into artifact_summary as kept
    select artifact_to_summarize.* from artifact_to_summarize
    where artifact_to_summarize.id = any(${locked.map(({ id }) => id)}::bigint[])
    on conflict (id) do update set ${ASSIGNED} where kept.* is distinct from excluded.*`.execute(tx)
  return { place: locked.at(-1)?.place, rows: Number(numAffectedRows) }
}

const COLUMNS = [
  'project_id',
  'tracker_id',
  'submitted_by',
  'submitted_on',
  'last_update_by',
  'last_modified_date',
  'deleted_on',
  'restricted_to',
  'title',
  'folded_title',
] as const
const ASSIGNED = sql.join(COLUMNS.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))

/** One statement has one snapshot, in which every committed write is in both tables. */
async function compareBatch(tx: Tx, batch: BackFillBatch, { place, source, summaries: between }: Way) {
  const bound = await sql<{ place: number | null }>`select max(batch.place) as place from (
    select ${place} as place from ${source(batch)} order by ${place} limit ${BATCH_SIZE}) batch`.execute(tx)
  const to = bound.rows[0]?.place ?? null
  const { rows } = await sql<{ rows: number }>`
    with wanted as materialized (
      select artifact_to_summarize.* from artifact_to_summarize where artifact_to_summarize.id in (
        select artifact.id from ${source(batch)} and ${place} <= ${to}::bigint)
    ), kept as materialized (select artifact_summary.* from artifact_summary where ${between(batch.place, to)})
    select count(*) as rows from wanted full join kept on kept.id = wanted.id
    where wanted.* is distinct from kept.*`.execute(tx)
  return { place: to ?? undefined, rows: rows[0]?.rows ?? 0 }
}
