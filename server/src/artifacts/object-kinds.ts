import type { Db, Tx } from '../platform/database/db.ts'
import { idParam, type Param } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import { findProject } from '../projects/find-project.ts'
import type { ProjectId } from '../projects/project.ts'
import { findTracker } from '../trackers/find-tracker.ts'
import type { TrackerId } from '../trackers/tracker.ts'
import type { ArtifactId } from './artifact.ts'
import { findArtifact } from './reading/find-artifact.ts'

/** Objects that people keep in their lists or watch; the innermost kind first. */
export const OBJECT_KINDS = ['artifact', 'tracker', 'project'] as const
export type ObjectKindName = (typeof OBJECT_KINDS)[number]

export interface NamedObject {
  readonly kind: ObjectKindName
  readonly id: number
}

/** A kind of object, and how to find one. */
export interface ObjectKind<T> {
  readonly kind: ObjectKindName
  readonly name: string
  readonly param: Param<T>
  /** The object and its containers, innermost first. Throws if the viewer may not see it. */
  readonly find: (
    context: Context,
    db: Db | Tx,
    viewer: Viewer,
    id: T,
  ) => Promise<readonly [NamedObject, ...NamedObject[]]>
}

export const artifactKind: ObjectKind<ArtifactId> = {
  kind: 'artifact',
  name: 'Artifact',
  param: idParam<ArtifactId>('The artifact.'),
  async find(context, db, viewer, id) {
    const { artifact } = await findArtifact(context, db, viewer, id)
    const { tracker_id, project_id } = artifact
    return [
      { kind: 'artifact', id },
      { kind: 'tracker', id: tracker_id },
      { kind: 'project', id: project_id },
    ]
  },
}

export const trackerKind: ObjectKind<TrackerId> = {
  kind: 'tracker',
  name: 'Tracker',
  param: idParam<TrackerId>('The tracker.'),
  async find(context, db, viewer, id) {
    const { tracker } = await findTracker(context, db, viewer, id)
    return [
      { kind: 'tracker', id },
      { kind: 'project', id: tracker.project_id },
    ]
  },
}

export const projectKind: ObjectKind<ProjectId> = {
  kind: 'project',
  name: 'Project',
  param: idParam<ProjectId>('The project.'),
  async find(_context, db, viewer, id) {
    await findProject(db, viewer, id)
    return [{ kind: 'project', id }]
  },
}
