import { type RawBuilder, sql } from 'kysely'
import { artifactIsThere, toldOfArtifacts } from '../../artifacts/told-of-artifacts.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { eventsWith } from '../../platform/database/events.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { toldOfProjects } from '../../projects/told-of-projects.ts'
import { toldOfTrackers, trackerIsThere } from '../../trackers/told-of-trackers.ts'
import type { SeenEvent } from '../read-stretch.ts'

/**
 * For statements on events: which rows of `told` the viewer may know of now (`seen`), and whether what they are about can
 * still be read. Of what is deleted, only that it was is told.
 */
export function sightOfTold(viewer: Viewer, told: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`me as materialized (${memberships(viewer)}), told as materialized (${told}),
    seen as materialized (
      ${toldOfProjects(viewer)} union all ${toldOfTrackers(viewer)} union all ${toldOfArtifacts(viewer)}
    )`
}

const objectId = sql`split_part(told.object, '/', 2)::bigint`

/** On a row of `told` that is in `seen`. */
export const isReadable: RawBuilder<boolean> = sql`case
  when told.type in ('artifact.deleted', 'tracker.deleted') then true
  when told.type like 'artifact.%' then ${artifactIsThere(objectId)}
  when told.type like 'tracker.%' then ${trackerIsThere(objectId)}
  else true end`

/** A row of `told` with what a row of `seen` says of it, as `representEvents` takes it. */
export function seenEvent(seen: RawBuilder<unknown> = sql`seen`): RawBuilder<SeenJson> {
  return sql`to_jsonb(told.*) || jsonb_build_object('xid', told.xid::text, 'project_id', ${seen}.project_id,
    'tracker_id', ${seen}.tracker_id, 'stamp', ${seen}.stamp)`
}

/** As it comes out of the database. */
export type SeenJson = Omit<SeenEvent, 'on'> & { readonly on: string }

export function fromJson(event: SeenJson): SeenEvent {
  return { ...event, on: new Date(event.on) }
}

/** Those of these events that the viewer may know of, in their order. */
export async function findSeenEvents(db: Db | Tx, viewer: Viewer, ids: readonly number[]): Promise<SeenEvent[]> {
  const { rows } = await sql<{ event: SeenJson }>`
    with ${sightOfTold(viewer, eventsWith(ids))}
    select ${seenEvent()} as event from told join seen on seen.id = told.id
    where ${isReadable} order by told.xid, told.id`.execute(db)
  return rows.map(({ event }) => fromJson(event))
}
