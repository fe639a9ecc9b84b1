import { type RawBuilder, sql } from 'kysely'
import { artifactExists, artifactEventVisibility } from '../../artifacts/artifact-event-visibility.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { eventsByIdSql } from '../../platform/database/events.ts'
import { eventPosition } from '../../platform/database/feed-end.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { projectEventVisibility } from '../../projects/project-event-visibility.ts'
import { trackerEventVisibility, trackerExists } from '../../trackers/tracker-event-visibility.ts'
import type { VisibleEvent } from '../scan-events.ts'

/**
 * CTEs for statements on events: `seen` has the rows of `candidate` that the viewer may read now. Of a deleted object
 * only the deletion is visible.
 */
export function visibleEventsCte(viewer: Viewer, events: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`me as materialized (${memberships(viewer)}), candidate as materialized (${events}),
    seen as materialized (
      ${projectEventVisibility(viewer)} union all ${trackerEventVisibility(viewer)} union all ${artifactEventVisibility(viewer)}
    )`
}

const objectId = sql`split_part(candidate.object, '/', 2)::bigint`

/** For a row of `candidate` that is in `seen`. */
export const isEventObjectReadable: RawBuilder<boolean> = sql`case
  when candidate.type in ('artifact.deleted', 'tracker.deleted') then true
  when candidate.type like 'artifact.%' then ${artifactExists(objectId)}
  when candidate.type like 'tracker.%' then ${trackerExists(objectId)}
  else true end`

/**
 * A row of `candidate` merged with its row of `seen`, as `representEvents` takes it. Servers of the previous version store
 * no position.
 */
export function visibleEventJson(seen: RawBuilder<unknown> = sql`seen`): RawBuilder<VisibleEventJson> {
  return sql`to_jsonb(candidate.*) || jsonb_build_object('position', coalesce(candidate.position,
      ${eventPosition(sql`candidate.id`)}, 0),
    'project_id', ${seen}.project_id,
    'tracker_id', ${seen}.tracker_id, 'stamp', ${seen}.stamp)`
}

/** As the database returns it. */
export type VisibleEventJson = Omit<VisibleEvent, 'on'> & { readonly on: string }

export function parseVisibleEvent(event: VisibleEventJson): VisibleEvent {
  return { ...event, on: new Date(event.on) }
}

/** Those of these events that the viewer may read, in their order. */
export async function findVisibleEvents(db: Db | Tx, viewer: Viewer, ids: readonly number[]): Promise<VisibleEvent[]> {
  const { rows } = await sql<{ event: VisibleEventJson }>`
    with ${visibleEventsCte(viewer, eventsByIdSql(ids))}
    select ${visibleEventJson()} as event from candidate join seen on seen.id = candidate.id
    where ${isEventObjectReadable} order by candidate.position, candidate.id`.execute(db)
  return rows.map(({ event }) => parseVisibleEvent(event))
}
