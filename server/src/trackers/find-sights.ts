import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { untilUnchanged } from '../platform/operation/until-unchanged.ts'
import { itsProject } from '../projects/its-project.ts'
import { stamp } from './load-tracker.ts'
import { type Sight, sightOf } from './sight.ts'
import type { TrackerId } from './tracker.ts'
import { maySeeTracker } from './visibility.ts'

/** The trackers that the viewer sees among those for which the condition holds, by id; not more than `most` and one. */
export async function findSights(
  context: Pick<Context, 'trackers'>,
  db: Db | Tx,
  viewer: Viewer,
  condition: RawBuilder<boolean>,
  most: number,
): Promise<Sight[]> {
  return untilUnchanged(async () => {
    const { rows } = await sql<{ id: TrackerId; stamp: string }>`
      select tracker.id, ${stamp} as stamp from tracker ${itsProject(sql`tracker.project_id`)}
      where ${condition} and ${maySeeTracker(viewer)} order by tracker.id limit ${most + 1}`.execute(db)
    const sights: Sight[] = []
    for (const row of rows) {
      const tracker = await context.trackers.at(db, row.id, row.stamp)
      if (tracker?.stamp !== row.stamp) return undefined // None is left out because it has just been changed.
      sights.push(await sightOf(db, tracker, viewer))
    }
    return sights
  })
}

/** For the `from` of a statement of another room. */
export function trackersCalled(itemName: string): RawBuilder<unknown> {
  return sql`tracker where ${isCalled(itemName)}`
}

/** Of the row of `tracker`, whatever its case. */
export function isCalled(...itemNames: readonly string[]): RawBuilder<boolean> {
  return sql`(folded(tracker.item_name) = any(select folded(name) from unnest(${itemNames}::text[]) as name))`
}
