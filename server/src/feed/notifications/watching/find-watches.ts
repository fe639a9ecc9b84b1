import { sql } from 'kysely'
import { aliases } from '../../../platform/database/aliases.ts'
import { joinArtifact, joinTrackerProjectAndMemberships, maySeeArtifact } from '../../../artifacts/visibility.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import { joinProject } from '../../../projects/project-sql.ts'
import { mayEnter } from '../../../projects/visibility.ts'
import { joinTracker, maySeeTracker } from '../../../trackers/visibility.ts'
import type { Level } from '../level.ts'

/** Watches of an account on objects that the viewer may read. */
export async function findWatches(
  db: Db | Tx,
  viewer: Viewer,
  account: AccountId,
): Promise<{ object: string; level: Level }[]> {
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<{ object: string; level: Level }>`
    select watched.kind || 's/' || watched.object_id as object, watched.level from (
      select watch.kind, watch.object_id, watch.level
      from watch ${joinArtifact(sql`watch.object_id`)} ${joined}
      where watch.account_id = ${account} and watch.kind = 'artifact' and ${maySeeArtifact(viewer, joined)}
      union all
      select watch.kind, watch.object_id, watch.level
      from watch ${joinTracker(sql`watch.object_id`)} ${joinProject(sql`tracker.project_id`)}
      where watch.account_id = ${account} and watch.kind = 'tracker' and ${maySeeTracker(viewer, aliases('tracker', 'project'))}
      union all
      select watch.kind, watch.object_id, watch.level
      from watch ${joinProject(sql`watch.object_id`)}
      where watch.account_id = ${account} and watch.kind = 'project' and ${mayEnter(viewer, aliases('project'))}
    ) watched
    order by watched.kind, watched.object_id`.execute(db)
  return rows
}
