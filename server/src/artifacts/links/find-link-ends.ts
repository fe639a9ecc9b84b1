import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../../projects/project.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import type { StoredValues, TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'

/** A visible artifact at the other end of a link. */
export interface LinkEnd {
  readonly id: ArtifactId
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId
  readonly field_values: StoredValues
  readonly stamp: string
  readonly is_active: boolean
}

/** The artifacts that the viewer sees. */
export async function findLinkEnds(
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LinkEnd>> {
  if (ids.length === 0) return new Map()
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<LinkEnd>`
    select artifact.id, artifact.project_id, artifact.tracker_id, artifact.field_values, ${accessVersion} as stamp,
      project.status in ('active', 'system', 'importing') as is_active
    from artifact ${joined}
    where artifact.id = any(${ids}::bigint[]) and ${maySeeArtifact(viewer, joined)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
