import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../../src/platform/database/db.ts'

/** Every committed event has one position, and the positions have no gaps up to the last one. */
export async function assertSequenced(db: Db): Promise<void> {
  const { rows } = await sql<{ unsequenced: number; gaps: number; ahead: number }>`
    select (select count(*) from event left join event_position on event_position.event_id = event.id
        where event_position.position is null) as unsequenced,
      (select coalesce(max(position) - min(position) + 1 - count(*), 0) from event_position) as gaps,
      (select feed_sequence.position - coalesce(max(event_position.position), feed_sequence.position)
        from event_position) as ahead
    from feed_sequence`.execute(db)
  assert.deepEqual(rows, [{ unsequenced: 0, gaps: 0, ahead: 0 }], 'The positions are not those of the events.')
}
