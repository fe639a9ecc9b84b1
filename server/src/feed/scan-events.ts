import { type RawBuilder, sql } from 'kysely'
import { artifactEventVisibility } from '../artifacts/artifact-event-visibility.ts'
import { allOf } from '../platform/database/conditions.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { type Cursor, type Event, eventsAfterSql, type FeedState, feedState } from '../platform/database/events.ts'
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
 * Scans the next `batchSize` events and returns at most `limit` visible ones. Visibility is checked in the same
 * statement, by current permissions.
 */
export async function scanEvents(
  db: Db | Tx,
  reader: FeedReader,
  after: Cursor,
  limit: number,
  batchSize = SCAN_BATCH_SIZE,
): Promise<ScannedEvents> {
  const { viewer, types, allFieldsOf } = reader
  const { rows } = await sql<ScannedRow>`
    with feed as materialized (${feedState}), me as materialized (${memberships(viewer)}),
    looked as materialized (${eventsAfterSql(after, batchSize)}),
    candidate as materialized (select looked.* from looked where looked.type = any(${types}::text[])),
    seen as (
      ${projectEventVisibility(viewer)} union all ${trackerEventVisibility(viewer)} union all ${artifactEventVisibility(viewer, allFieldsOf)}
      union all ${repositoryEventVisibility(viewer)}
    ), page as (
      select row_number() over (order by candidate.xid, candidate.id) as place,
        to_jsonb(candidate.*) || jsonb_build_object('xid', candidate.xid::text) || to_jsonb(seen.*) as seen
      from candidate join seen on seen.id = candidate.id
      where ${matchesScope(reader)}
      order by candidate.xid, candidate.id limit ${limit + 1}
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
  if (looked < batchSize) return { feed, seen, next: feed.horizon, ends: 'at_horizon' }
  return { feed, seen, next: last ?? after, ends: 'unknown' }
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
