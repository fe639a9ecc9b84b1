import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { idParam, type Param } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { findProject } from '../../projects/find-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifact } from '../reading/find-artifact.ts'

/** A kind of object that people keep in their lists. */
export interface ListableKind<T> {
  readonly kind: 'project' | 'tracker' | 'artifact'
  readonly name: string
  readonly param: Param<T>
  /** The column of its ids in both tables. */
  readonly column: RawBuilder<unknown>
  /** Throws if the viewer may not see it. */
  readonly require: (context: Context, db: Db | Tx, viewer: Viewer, id: T) => Promise<unknown>
}

export const listableProject: ListableKind<ProjectId> = {
  kind: 'project',
  name: 'Project',
  param: idParam<ProjectId>('The project.'),
  column: sql.ref('project_id'),
  require: (_context, db, viewer, id) => findProject(db, viewer, id),
}

export const listableTracker: ListableKind<TrackerId> = {
  kind: 'tracker',
  name: 'Tracker',
  param: idParam<TrackerId>('The tracker.'),
  column: sql.ref('tracker_id'),
  require: findTracker,
}

export const listableArtifact: ListableKind<ArtifactId> = {
  kind: 'artifact',
  name: 'Artifact',
  param: idParam<ArtifactId>('The artifact.'),
  column: sql.ref('artifact_id'),
  require: findArtifact,
}
