import { sql } from 'kysely'
import type { Db } from '../platform/database/db.ts'
import { withoutOwner } from '../platform/database/connection-owner.ts'
import type { TrackerId } from './tracker.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    readonly artifactNumbers: NumberSource
  }
}

/** Allocates artifact numbers outside transactions: the numbers of failed creations are not given again. */
export interface NumberSource {
  /** The next number of a tracker; undefined if the tracker is purged. Must not be called inside a transaction. */
  draw(db: Db, tracker: TrackerId): Promise<number | undefined>
}

interface Batch {
  count: number
  /** The first number of the batch. */
  readonly first: Promise<number | undefined>
}

/** One statement per tracker at a time; callers that arrive meanwhile share the next one. */
export function createNumberSource(): NumberSource {
  const running = new Map<TrackerId, Promise<unknown>>()
  const collecting = new Map<TrackerId, Batch>()

  function start(db: Db, tracker: TrackerId, count: number): Promise<number | undefined> {
    const drawn = withoutOwner(() => drawFirst(db, tracker, count))
    const end = async () => {
      await Promise.allSettled([drawn])
      if (running.get(tracker) === ended) running.delete(tracker)
    }
    const ended = end()
    running.set(tracker, ended)
    return drawn
  }

  return {
    async draw(db, tracker) {
      const open = collecting.get(tracker)
      if (open) {
        const place = open.count++
        const first = await open.first
        return first === undefined ? undefined : first + place
      }
      const before = running.get(tracker)
      if (!before) return start(db, tracker, 1)
      const batch: Batch = {
        count: 1,
        first: after(before, () => {
          collecting.delete(tracker)
          return start(db, tracker, batch.count)
        }),
      }
      collecting.set(tracker, batch)
      return batch.first
    },
  }
}

async function after<T>(before: Promise<unknown>, work: () => Promise<T>): Promise<T> {
  await before
  return work()
}

/**
 * Commits without waiting for the disk, so the lock of the row is held for a moment only. A crash cannot lose the
 * number of a stored artifact: the commit of the artifact comes later in the log, and waits for all before it.
 */
async function drawFirst(db: Db, tracker: TrackerId, count: number): Promise<number | undefined> {
  const { rows } = await sql<{ last_number: number }>`
    with unsynced as materialized (select set_config('synchronous_commit', 'off', true))
    update tracker_total set last_number = last_number + ${count} from unsynced
    where tracker_total.tracker_id = ${tracker}
    returning last_number`.execute(db)
  const [row] = rows
  return row && row.last_number - count + 1
}
