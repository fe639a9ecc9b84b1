import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { retryOnConflict } from '../platform/operation/retry-on-conflict.ts'
import { joinProject } from '../projects/project-sql.ts'
import { accessVersion } from './load-tracker.ts'
import { type TrackerAccess, getTrackerAccess } from './tracker-access.ts'
import type { TrackerId } from './tracker.ts'
import { maySeeTracker } from './visibility.ts'

/** The trackers matching the condition that the viewer may see, by id; at most `most` + 1. */
export async function findVisibleTrackers(
  context: Pick<Context, 'trackers'>,
  db: Db | Tx,
  viewer: Viewer,
  condition: RawBuilder<boolean>,
  most: number,
): Promise<TrackerAccess[]> {
  return retryOnConflict(async () => {
    const { rows } = await sql<{ id: TrackerId; stamp: string }>`
      select tracker.id, ${accessVersion} as stamp from tracker ${joinProject(sql`tracker.project_id`)}
      where ${condition} and ${maySeeTracker(viewer, aliases('tracker', 'project'))} order by tracker.id limit ${most + 1}`.execute(
      db,
    )
    const accesses: TrackerAccess[] = []
    for (const row of rows) {
      const tracker = await context.trackers.at(db, row.id, row.stamp)
      if (tracker?.stamp !== row.stamp) return undefined // A concurrent change must not drop a tracker from the result.
      accesses.push(await getTrackerAccess(db, tracker, viewer))
    }
    return accesses
  })
}

/** SQL for the `from` clause of another module's statement. */
export function trackersWithItemName(itemName: string): RawBuilder<unknown> {
  return sql`tracker where ${hasItemName(itemName)}`
}

/** Matches the `tracker` row by item name, ignoring case. */
export function hasItemName(...itemNames: readonly string[]): RawBuilder<boolean> {
  return sql`(folded(tracker.item_name) = any(select folded(name) from unnest(${itemNames}::text[]) as name))`
}
