import { sql } from 'kysely'
import { itsArtifact, itsPlaceFor, maySeeArtifact } from '../../../artifacts/visibility.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import { itsProject } from '../../../projects/its-project.ts'
import { mayEnter } from '../../../projects/visibility.ts'
import { itsTracker, maySeeTracker } from '../../../trackers/visibility.ts'
import type { Level } from '../level.ts'

/** What somebody watches, as far as he may read it. */
export async function findWatches(
  db: Db | Tx,
  viewer: Viewer,
  account: AccountId,
): Promise<{ object: string; level: Level }[]> {
  const { rows } = await sql<{ object: string; level: Level }>`
    select watched.kind || 's/' || watched.object_id as object, watched.level from (
      select watch.kind, watch.object_id, watch.level
      from watch ${itsArtifact(sql`watch.object_id`)} ${itsPlaceFor(viewer)}
      where watch.account_id = ${account} and watch.kind = 'artifact' and ${maySeeArtifact(viewer)}
      union all
      select watch.kind, watch.object_id, watch.level
      from watch ${itsTracker(sql`watch.object_id`)} ${itsProject(sql`tracker.project_id`)}
      where watch.account_id = ${account} and watch.kind = 'tracker' and ${maySeeTracker(viewer)}
      union all
      select watch.kind, watch.object_id, watch.level
      from watch ${itsProject(sql`watch.object_id`)}
      where watch.account_id = ${account} and watch.kind = 'project' and ${mayEnter(viewer)}
    ) watched
    order by watched.kind, watched.object_id`.execute(db)
  return rows
}
