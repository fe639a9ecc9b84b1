import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { type FeedState, feedState } from '../../platform/database/events.ts'
import { stamp } from '../../trackers/load-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { theseTrackers } from '../../trackers/visibility.ts'

export interface Watched extends FeedState {
  /** By the id of the tracker: not every right that is withdrawn is an event. */
  readonly stamps: Readonly<Record<string, string>>
}

/** How far the feed has come, and in which state these trackers are, at one moment. */
export async function readWatch(db: Db | Tx, trackers: readonly TrackerId[]): Promise<Watched> {
  const { rows } = await sql<Watched>`
    select feed.*, (select coalesce(json_object_agg(tracker.id, ${stamp}), '{}') from ${theseTrackers(trackers)}) as stamps
    from (${feedState}) feed`.execute(db)
  const [watched] = rows
  if (!watched) throw new TypeError('The feed has no epoch.')
  return watched
}
