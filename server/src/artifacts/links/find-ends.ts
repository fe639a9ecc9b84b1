import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { ProjectId } from '../../projects/project.ts'
import { stamp } from '../../trackers/load-tracker.ts'
import type { StoredValues, TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { itsPlaceFor, maySeeArtifact } from '../visibility.ts'

/** An artifact at the other end of a link, which the viewer sees. */
export interface End {
  readonly id: ArtifactId
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId
  readonly field_values: StoredValues
  readonly stamp: string
  readonly is_active: boolean
}

/** Those of the artifacts that the viewer sees. */
export async function findEnds(db: Db | Tx, viewer: Viewer, ids: readonly number[]): Promise<ReadonlyMap<number, End>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<End>`
    select artifact.id, artifact.project_id, artifact.tracker_id, artifact.field_values, ${stamp} as stamp,
      project.status in ('active', 'system') as is_active
    from artifact ${itsPlaceFor(viewer)}
    where artifact.id = any(${ids}::bigint[]) and ${maySeeArtifact(viewer)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
