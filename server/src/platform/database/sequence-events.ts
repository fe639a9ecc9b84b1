import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from './db.ts'
import { alwaysReplanHint } from './prepare-statements.ts'

declare module './db.ts' {
  interface Tables {
    event_position: { position: number; event_id: number }
    feed_sequence: { turn: number; position: number; snapshot: string; target: string | null; drained_id: number }
  }
}

/** A longer backlog is assigned in parts, each within the timeout of a statement. */
const SEQUENCE_BATCH_SIZE = 5000

/**
 * Assigns positions to all events that are visible now. Every process may call it at any time; it holds no lease. Never
 * call it in a transaction: each batch is one statement that commits by itself, so a client that is killed or paused
 * cannot hold the lock of the row.
 */
export async function sequenceEvents(db: Db, batchSize = SEQUENCE_BATCH_SIZE): Promise<void> {
  for (;;) {
    const outcome = await sequenceBatch(db, batchSize)
    if (outcome === 'done') return
    if (outcome === 'draining') await drainBatch(db, batchSize)
  }
}

/** `lost`: another process has swapped first. `draining`: the backlog is too long for one batch. */
export type BatchOutcome = 'done' | 'lost' | 'draining'

/**
 * Compare-and-swap of the stored snapshot. The events that the stored snapshot does not see and this statement sees are
 * the ones without a position. Ids are drawn after the snapshot of the statement that inserts them, and after its row
 * locks, so within a batch they order cause before effect. The argument: docs/decisions/16-sequenced-feed.md.
 */
export async function sequenceBatch(db: Db, batchSize = SEQUENCE_BATCH_SIZE): Promise<BatchOutcome> {
  const { turn, position, xmax, xip, is_draining } = await readSequence(db)
  if (is_draining) return 'draining'
  const bounds = { xmax: sql`${xmax}::xid8`, xip: sql`${xip}::text[]::xid8[]` }
  const { rows } = await sql<{ outcome: BatchOutcome }>`${alwaysReplanHint}
    with fresh as materialized (${freshEvents(bounds, batchSize + 1)}), counted as materialized (
      select count(*) as events, count(*) > ${batchSize}::bigint as is_long from fresh
    ), swapped as (
      update feed_sequence set turn = feed_sequence.turn + 1,
        position = feed_sequence.position + case when counted.is_long then 0 else counted.events end,
        snapshot = case when counted.is_long then feed_sequence.snapshot else pg_current_snapshot() end,
        target = case when counted.is_long then pg_current_snapshot() end,
        drained_id = case when counted.is_long
          then (select min(backlog.id) - 1 from (${freshEvents(bounds)}) backlog) else 0 end
      from counted
      where feed_sequence.turn = ${turn}::bigint and counted.events > 0
      returning feed_sequence.turn, ${commitDurably}
    ), placed as (
      insert into event_position (position, event_id)
      select ${position}::bigint + row_number() over (order by fresh.id), fresh.id
      from swapped, counted, fresh where not counted.is_long
    )
    select case when counted.events = 0 or not counted.is_long and exists (select from swapped) then 'done'
      when exists (select from swapped) then 'draining' else 'lost' end as outcome
    from counted`.execute(db)
  const [row] = rows
  if (!row) throw new TypeError('The feed has no sequence.')
  return row.outcome
}

interface SequenceState {
  readonly turn: number
  readonly position: number
  readonly xmax: string
  readonly xip: readonly string[]
  readonly is_draining: boolean
}

/** Read by itself, because the planner finds the few new events only by values that it knows. */
async function readSequence(db: Db): Promise<SequenceState> {
  const { rows } = await sql<SequenceState>`
    select feed_sequence.turn, feed_sequence.position, pg_snapshot_xmax(feed_sequence.snapshot)::text as xmax,
      array(select pg_snapshot_xip(feed_sequence.snapshot)::text) as xip, feed_sequence.target is not null as is_draining
    from feed_sequence`.execute(db)
  const [state] = rows
  if (!state) throw new TypeError('The feed has no sequence.')
  return state
}

/** The next part of a long backlog: the events between the stored snapshot and its target, in order of id. */
export async function drainBatch(db: Db, batchSize = SEQUENCE_BATCH_SIZE): Promise<void> {
  await sql`
    with before as materialized (
      select feed_sequence.turn, feed_sequence.position, feed_sequence.snapshot, feed_sequence.target,
        feed_sequence.drained_id
      from feed_sequence where feed_sequence.target is not null
    ), part as materialized (
      select found.id from before cross join lateral (
        select event.id from event
        where event.id > before.drained_id and pg_visible_in_snapshot(event.tx, before.target)
          and not pg_visible_in_snapshot(event.tx, before.snapshot)
        order by event.id limit ${batchSize}
      ) found
    ), counted as materialized (
      select count(*) as events, count(*) < ${batchSize}::bigint as is_last, max(part.id) as last_id from part
    ), swapped as (
      update feed_sequence set turn = feed_sequence.turn + 1, position = feed_sequence.position + counted.events,
        snapshot = case when counted.is_last then before.target else feed_sequence.snapshot end,
        target = case when counted.is_last then null else before.target end,
        drained_id = case when counted.is_last then 0 else counted.last_id end
      from before, counted
      where feed_sequence.turn = before.turn
      returning before.position as base, ${commitDurably}
    )
    insert into event_position (position, event_id)
    select swapped.base + row_number() over (order by part.id), part.id from swapped, part`.execute(db)
}

/** The transactions that a snapshot does not see: those from `xmax` on, and `xip`. */
interface SnapshotBounds {
  readonly xmax: RawBuilder<unknown>
  readonly xip: RawBuilder<unknown>
}

const storedBounds: SnapshotBounds = {
  xmax: sql`pg_snapshot_xmax(feed_sequence.snapshot)`,
  xip: sql`array(select pg_snapshot_xip(feed_sequence.snapshot))`,
}

/**
 * Visible events that a snapshot does not see, in an order that lets the planner use the index. Transactions that are
 * still running are left out, because they may have many events.
 */
function freshEvents({ xmax, xip }: SnapshotBounds, limit?: number): RawBuilder<unknown> {
  const limited = limit === undefined ? sql`` : sql` limit ${sql.lit(limit)}`
  return sql`
    (select event.id, event."on" from event
      where event.tx >= ${xmax} and event.tx < pg_snapshot_xmax(pg_current_snapshot())
      order by event.tx, event.id${limited})
    union all
    (select event.id, event."on" from event where event.tx = any(array(
        select running.tx from unnest(${xip}) as running (tx)
        where pg_visible_in_snapshot(running.tx, pg_current_snapshot())))
      order by event.tx, event.id${limited})`
}

/** A position that a reader has seen must survive a crash, even if the database commits other writes asynchronously. */
const commitDurably = sql`case when current_setting('synchronous_commit') = 'off'
  then set_config('synchronous_commit', 'on', true) end`

/** Whether visible events have no position yet; in a statement that reads `feed_sequence`. */
export const hasUnsequencedEvents: RawBuilder<boolean> = sql`(feed_sequence.target is not null
  or exists (select from (${freshEvents(storedBounds, 1)}) fresh))`

/** The age of the oldest visible event without a position; 0 if there is none. */
export async function measureSequencingLag(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from clock_timestamp() - min(fresh."on")), 0)::double precision as seconds
    from feed_sequence cross join lateral (${freshEvents(storedBounds, SEQUENCE_BATCH_SIZE)}) fresh`.execute(db)
  return Math.max(0, rows[0]?.seconds ?? 0)
}
