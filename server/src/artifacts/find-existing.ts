import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { mayEnter } from '../projects/visibility.ts'
import type { ArtifactId } from './artifact.ts'
import { joinTrackerAndProject } from './visibility.ts'

/** Artifacts that exist in projects which the viewer may enter, readable or not. */
export async function findExisting(db: Db | Tx, viewer: Viewer, ids: readonly number[]): Promise<ArtifactId[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: ArtifactId }>`
    select artifact.id from artifact ${joinTrackerAndProject}
    where artifact.id = any(${ids}::bigint[]) and artifact.deleted_on is null and tracker.deleted_on is null
      and ${mayEnter(viewer, joinTrackerAndProject)}`.execute(db)
  return rows.map(({ id }) => id)
}
