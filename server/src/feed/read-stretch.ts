import { type RawBuilder, sql } from 'kysely'
import { toldOfArtifacts } from '../artifacts/told-of-artifacts.ts'
import { allOf } from '../platform/database/conditions.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { type Cursor, type Event, eventsAfter, type FeedState, feedState } from '../platform/database/events.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { memberships } from '../projects/groups/memberships.ts'
import type { ProjectId } from '../projects/project.ts'
import { toldOfProjects } from '../projects/told-of-projects.ts'
import { toldOfRepositories } from '../repositories/told-of-repositories.ts'
import { toldOfTrackers } from '../trackers/told-of-trackers.ts'
import type { TrackerId } from '../trackers/tracker.ts'

/** Who reads, and what of it he wants. */
export interface Reader {
  readonly viewer: Viewer
  readonly types: readonly string[]
  readonly project?: ProjectId
  readonly tracker?: TrackerId
}

/** An event that the reader may know of, with what it is about now. */
export interface SeenEvent extends Omit<Event, 'project_id'> {
  readonly request_id: string | null
  readonly client_uuid: string | null
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId | null
  /** Of the tracker, where fields are to be named. */
  readonly stamp: string | null
}

interface Stretch {
  readonly feed: FeedState
  readonly seen: readonly SeenEvent[]
  /** Everything before it was looked at. */
  readonly next: Cursor
  /** There is nothing behind it yet; or there is more, and that is for the reader; or nobody has looked. */
  readonly ends: 'at_horizon' | 'before_more' | 'unknown'
}

const LOOKS_AT = 1000

interface Row extends FeedState {
  looked: number
  last: Cursor | null
  seen: (Omit<SeenEvent, 'on'> & { on: string }) | null
}

/**
 * Looks at the next events, however many of them the reader may know of, and gives at most `limit` of these. Sight is
 * decided here, in the statement that reads: by the rights of this very moment. `looksAt`: at how many it looks.
 */
export async function readStretch(
  db: Db | Tx,
  reader: Reader,
  after: Cursor,
  limit: number,
  looksAt = LOOKS_AT,
): Promise<Stretch> {
  const { viewer, types } = reader
  const { rows } = await sql<Row>`
    with feed as materialized (${feedState}), me as materialized (${memberships(viewer)}),
    looked as materialized (${eventsAfter(after, looksAt)}),
    told as materialized (select looked.* from looked where looked.type = any(${types}::text[])),
    seen as (
      ${toldOfProjects(viewer)} union all ${toldOfTrackers(viewer)} union all ${toldOfArtifacts(viewer)}
      union all ${toldOfRepositories(viewer)}
    ), page as (
      select row_number() over (order by told.xid, told.id) as place,
        to_jsonb(told.*) || jsonb_build_object('xid', told.xid::text) || to_jsonb(seen.*) as seen
      from told join seen on seen.id = told.id
      where ${wanted(reader)}
      order by told.xid, told.id limit ${limit + 1}
    )
    select feed.*, (select count(*) from looked) as looked,
      (select jsonb_build_object('xid', looked.xid::text, 'id', looked.id) from looked
        order by looked.xid desc, looked.id desc limit 1) as last,
      page.seen
    from feed left join page on true order by page.place`.execute(db)
  const [first] = rows
  if (!first) throw new TypeError('The feed has no epoch.')
  const { looked, last, seen: _, ...feed } = first
  const seen = rows.flatMap(({ seen: event }) => (event ? [{ ...event, on: new Date(event.on) }] : []))
  if (seen.length > limit) {
    const shown = seen.slice(0, limit)
    return { feed, seen: shown, next: shown.at(-1) ?? after, ends: 'before_more' }
  }
  if (looked < looksAt) return { feed, seen, next: feed.horizon, ends: 'at_horizon' }
  return { feed, seen, next: last ?? after, ends: 'unknown' }
}

/** What was moved belongs to where it was, too. */
function wanted({ project, tracker }: Reader): RawBuilder<boolean> {
  return allOf([
    ...(project === undefined
      ? []
      : [
          sql<boolean>`${project}::bigint in (seen.project_id, told.project_id,
      (told.payload #>> '{from,project_id}')::bigint)`,
        ]),
    ...(tracker === undefined
      ? []
      : [
          sql<boolean>`${tracker}::bigint in (seen.tracker_id,
      (told.payload ->> 'tracker_id')::bigint, (told.payload #>> '{from,tracker_id}')::bigint)`,
        ]),
  ])
}
