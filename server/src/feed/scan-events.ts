import { type RawBuilder, sql } from 'kysely'
import { artifactEventVisibility } from '../artifacts/artifact-event-visibility.ts'
import { allOf } from '../platform/database/conditions.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import {
  type Cursor,
  type Event,
  eventsAfterSql,
  eventsByIdSql,
  type FeedState,
  feedState,
} from '../platform/database/events.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { memberships } from '../projects/groups/memberships.ts'
import type { ProjectId } from '../projects/project.ts'
import { projectEventVisibility } from '../projects/project-event-visibility.ts'
import { repositoryEventVisibility } from '../repositories/repository-event-visibility.ts'
import { trackerEventVisibility } from '../trackers/tracker-event-visibility.ts'
import type { TrackerId } from '../trackers/tracker.ts'

/** The viewer and filters of a feed request. */
export interface FeedReader {
  readonly viewer: Viewer
  readonly types: readonly string[]
  readonly project?: ProjectId
  readonly tracker?: TrackerId
  /** All fields of this tracker are readable, whatever the viewer's rights; everything else needs the viewer's rights. */
  readonly allFieldsOf?: TrackerId
}

/** An event that the viewer may read, with its current project and tracker. */
export interface VisibleEvent extends Omit<Event, 'project_id'> {
  /** Orders events for servers of the previous version. */
  readonly xid: string
  readonly request_id: string | null
  readonly client_uuid: string | null
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId | null
  /** Access version of the tracker, if field names are needed. */
  readonly stamp: string | null
}

interface ScannedEvents {
  readonly feed: FeedState
  readonly seen: readonly VisibleEvent[]
  /** Everything before this cursor was scanned. */
  readonly next: Cursor
  /**
   * `at_horizon`: no events follow yet; `before_more`: another visible event follows; `unknown`: the batch ended
   * before.
   */
  readonly ends: 'at_horizon' | 'before_more' | 'unknown'
}

const SCAN_BATCH_SIZE = 1000

interface ScannedRow extends FeedState {
  looked: number
  last: Cursor | null
  seen: (Omit<VisibleEvent, 'on'> & { on: string }) | null
}

/**
 * Scans the next events and returns at most `limit` visible ones. Visibility is checked in the same
 * statement, by current permissions.
 */
export async function scanEvents(
  db: Db | Tx,
  reader: FeedReader,
  after: Cursor,
  limit: number,
): Promise<ScannedEvents> {
  const events = eventsAfterSql(after, SCAN_BATCH_SIZE)
  const { looked, last, seen, feed } = await readVisibleEvents(db, reader, events, limit)
  if (seen.length > limit) {
    const shown = seen.slice(0, limit)
    return { feed, seen: shown, next: shown.at(-1) ?? after, ends: 'before_more' }
  }
  if (looked < SCAN_BATCH_SIZE) return { feed, seen, next: feed.horizon, ends: 'at_horizon' }
  return { feed, seen, next: last ?? after, ends: 'unknown' }
}

/** Of events that were read before, those that are retained and that the viewer may read now, by id. */
export async function findReadableEvents(
  db: Db | Tx,
  reader: FeedReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, VisibleEvent>> {
  const { seen } = await readVisibleEvents(db, reader, eventsByIdSql(ids), ids.length)
  return new Map(seen.map((event) => [event.id, event]))
}

interface VisibleRows extends Pick<ScannedRow, 'looked' | 'last'> {
  readonly feed: FeedState
  readonly seen: readonly VisibleEvent[]
}

/** One more than `limit`, to know whether there are more. */
async function readVisibleEvents(
  db: Db | Tx,
  reader: FeedReader,
  events: RawBuilder<unknown>,
  limit: number,
): Promise<VisibleRows> {
  const { viewer, types, allFieldsOf } = reader
  const { rows } = await sql<ScannedRow>`
    with feed as materialized (${feedState}), me as materialized (${memberships(viewer)}),
    looked as materialized (${events}),
    candidate as materialized (select looked.* from looked where looked.type = any(${types}::text[])),
    -- Once for all: few new events are expected by the statistics, and would be checked anew for each candidate.
    seen as materialized (
      ${projectEventVisibility(viewer)} union all ${trackerEventVisibility(viewer)} union all ${artifactEventVisibility(viewer, allFieldsOf)}
      union all ${repositoryEventVisibility(viewer)}
    ), page as (
      select row_number() over (order by candidate.position) as place, -- All rows, so that none is joined by itself.
        to_jsonb(candidate.*) || jsonb_build_object('xid', candidate.xid::text) || to_jsonb(seen.*) as seen
      from candidate join seen on seen.id = candidate.id
      where ${matchesScope(reader)}
      order by candidate.position limit ${limit + 1}
    )
    select feed.*, (select count(*) from looked) as looked,
      (select jsonb_build_object('position', max(looked.position)) from looked having count(*) > 0) as last,
      page.seen
    from feed left join page on true order by page.place`.execute(db)
  const [first] = rows
  if (!first) throw new TypeError('The feed has no epoch.')
  const { looked, last, seen: _, ...feed } = first
  const seen = rows.flatMap(({ seen: event }) => (event ? [{ ...event, on: new Date(event.on) }] : []))
  return { looked, last, feed, seen }
}

/** A moved object also matches its former project and tracker. */
function matchesScope({ project, tracker }: FeedReader): RawBuilder<boolean> {
  return allOf([
    ...(project === undefined
      ? []
      : [
          sql<boolean>`${project}::bigint in (seen.project_id, candidate.project_id,
      (candidate.payload #>> '{from,project_id}')::bigint)`,
        ]),
    ...(tracker === undefined
      ? []
      : [
          sql<boolean>`${tracker}::bigint in (seen.tracker_id,
      (candidate.payload ->> 'tracker_id')::bigint, (candidate.payload #>> '{from,tracker_id}')::bigint)`,
        ]),
  ])
}
