import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '../../../src/platform/database/db.ts'
import { formatFeedCursor } from '../../../src/feed/feed-cursor.ts'
import { readFeedState } from '../../../src/platform/database/events.ts'
import type { MadeTracker } from '../../fixtures/every-field.ts'
import type { Delivered, RecordingReceivers } from './receivers.ts'

export interface Checked {
  readonly events: number
  readonly effects: Readonly<Record<string, number>>
  readonly delivered: number
  readonly deliveredAgain: number
  readonly mailed: number
}

interface Logged {
  readonly id: string
  readonly type: string
  readonly object: string
}

/** The event log in order, read as the owner of the database. */
async function readLog(db: Db, tracker: MadeTracker): Promise<Logged[]> {
  const { epoch } = await readFeedState(db)
  const { rows } = await sql<{ position: number; type: string; object: string }>`
    select event_position.position, event.type, event.object
    from event left join event_position on event_position.event_id = event.id
    where event.object like 'artifacts/%' and (event.payload ->> 'tracker_id')::bigint = ${tracker.id}
    order by event_position.position`.execute(db)
  return rows.map(({ position, type, object }) => ({ id: formatFeedCursor({ epoch, position }), type, object }))
}

/** The effects of each consumer equal the log: nothing is missing, duplicated or reordered. */
export async function checkConsumers(
  db: Db,
  effects: Db,
  tracker: MadeTracker,
): Promise<Pick<Checked, 'events' | 'effects'>> {
  const log = await readLog(db, tracker)
  const { rows } = await sql<Logged & { consumer: string }>`
    select consumer, event_id as id, type, object from effect where object like 'artifacts/%' order by at`.execute(
    effects,
  )
  const done: Record<string, number> = {}
  for (const consumer of new Set(rows.map((row) => row.consumer))) {
    const own = rows.filter((row) => row.consumer === consumer)
    assert.deepEqual(
      own.map(({ id, type, object }) => ({ id, type, object })),
      log,
      `The consumer ${consumer} did something else than the log says.`,
    )
    done[consumer] = own.length
  }
  assert.equal(Object.keys(done).length, 2, 'A consumer did nothing.')
  return { events: log.length, effects: done }
}

/**
 * Every create and update was delivered, in the order of the log per artifact; a repetition is equal, except for the
 * tracker.
 */
export async function checkDeliveries(
  db: Db,
  { delivered, changed }: RecordingReceivers,
  tracker: MadeTracker,
): Promise<Pick<Checked, 'delivered' | 'deliveredAgain'>> {
  const log = await readLog(db, tracker)
  const wanted = log.filter(({ type }) => type === 'artifact.created' || type === 'artifact.updated')
  const first = new Map<string, Delivered>()
  for (const each of delivered) {
    const known = first.get(each.event_id)
    if (known) assert.deepEqual(each, known, `A repetition has another body. ${changed.join('; ')}`)
    else first.set(each.event_id, each)
  }
  assert.deepEqual([...first.keys()].toSorted(), wanted.map(({ id }) => id).toSorted(), 'Webhooks got something else.')
  const places = new Map(wanted.map(({ id }, place) => [id, place]))
  const newest = new Map<number, number>()
  for (const { artifact, event_id } of first.values()) {
    const place = places.get(event_id) ?? -1
    assert.ok(place > (newest.get(artifact) ?? -1), `Events of artifact ${artifact} came in another order.`)
    newest.set(artifact, place)
  }
  return { delivered: first.size, deliveredAgain: delivered.length - first.size }
}

/** Versions of an artifact are in order in the log. */
export async function checkVersions(db: Db, tracker: MadeTracker): Promise<void> {
  const { rows } = await sql<{ swapped: number }>`
    select count(*) as swapped from (
      select (event.payload ->> 'version')::integer
        < lag((event.payload ->> 'version')::integer) over (partition by event.object order by event_position.position) as is_older
      from event join event_position on event_position.event_id = event.id where event.type in ('artifact.created', 'artifact.updated')
        and (event.payload ->> 'tracker_id')::bigint = ${tracker.id}
    ) candidate where candidate.is_older`.execute(db)
  assert.equal(rows[0]?.swapped, 0, 'The log has versions before older ones.')
}

export function checkMails({ mailed }: RecordingReceivers): Pick<Checked, 'mailed'> {
  assert.equal(new Set(mailed).size, mailed.length, 'Somebody got a mail twice.')
  assert.ok(mailed.length > 0, 'Nobody got a mail.')
  return { mailed: mailed.length }
}
