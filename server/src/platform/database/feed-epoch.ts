import { sql } from 'kysely'
import { type Db, inTransaction } from './db.ts'

/**
 * After a restore, older cursors may name other events, so they must expire. Transaction numbers of another PostgreSQL
 * mean nothing here: the sequencer begins with a snapshot of this one, and all restored events have a position.
 */
export async function beginFeedEpoch(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`update feed_epoch set epoch = default`.execute(tx)
    await sql`select from feed_sequence for update`.execute(tx)
    // One statement, so that positions, numbers and snapshot are of one moment; it begins after the lock is held.
    await sql`
      with unsequenced as materialized (
        select event.id from event
        where not exists (select from event_position where event_position.event_id = event.id)
      ), renumbered as (
        update event set tx = null where event.tx >= pg_snapshot_xmin(pg_current_snapshot())
      ), placed as (
        insert into event_position (position, event_id)
        select feed_sequence.position + row_number() over (order by unsequenced.id), unsequenced.id
        from unsequenced, feed_sequence
      )
      update feed_sequence set turn = turn + 1, position = position + (select count(*) from unsequenced),
        snapshot = pg_current_snapshot(), target = null, drained_id = 0`.execute(tx)
  })
}
