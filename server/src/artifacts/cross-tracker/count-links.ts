import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import type { ArtifactId } from '../artifact.ts'
import { maySeeArtifact, joinTrackerProjectAndMe } from '../visibility.ts'

export interface LinkCounts {
  readonly forward: number
  readonly reverse: number
}

/** For each artifact, the number of links whose other end the viewer sees. */
export async function countLinks(
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ArtifactId[],
): Promise<ReadonlyMap<ArtifactId, LinkCounts>> {
  const { rows } = await sql<LinkCounts & { id: ArtifactId }>`
    with me as materialized (${memberships(viewer)})
    select main.id,
      (select count(*) from artifact_link link join artifact on artifact.id = link.target_id ${joinTrackerProjectAndMe}
        where link.source_id = main.id and ${maySeeArtifact(viewer, joinTrackerProjectAndMe)}) as forward,
      (select count(*) from artifact_link link join artifact on artifact.id = link.source_id ${joinTrackerProjectAndMe}
        where link.target_id = main.id and ${maySeeArtifact(viewer, joinTrackerProjectAndMe)}) as reverse
    from unnest(${ids}::bigint[]) as main (id)`.execute(db)
  return new Map(rows.map(({ id, forward, reverse }) => [id, { forward, reverse }]))
}
