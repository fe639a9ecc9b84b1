import { sql } from 'kysely'
import { Type } from 'typebox'
import type { ArtifactId } from '../../../artifacts/artifact.ts'
import { findArtifact } from '../../../artifacts/reading/find-artifact.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import { idParam, type Param } from '../../../platform/http/route.ts'
import type { AccountId, Viewer } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { nullable } from '../../../platform/wire/nullable.ts'
import { findProject } from '../../../projects/find-project.ts'
import type { ProjectId } from '../../../projects/project.ts'
import { findTracker } from '../../../trackers/find-tracker.ts'
import type { TrackerId } from '../../../trackers/tracker.ts'
import { type Level, LevelSchema } from '../level.ts'
import { loadNotificationSettings } from '../settings/settings.ts'

/** Nearest first: the nearest level wins. */
export const WATCHED_KINDS = ['artifact', 'tracker', 'project'] as const
export type WatchedKind = (typeof WATCHED_KINDS)[number]

export interface WatchedObject {
  readonly kind: WatchedKind
  readonly id: number
}

export const WatchSchema = Type.Object(
  {
    level: LevelSchema,
    inherited_from: nullable(
      Type.String({
        description:
          'The address of the object or settings that this level is inherited from; null: it was chosen for this object.',
      }),
    ),
  },
  { title: 'Watch' },
)

/** An object and its containers, nearest first. */
type ObjectWithContainers = readonly [WatchedObject, ...WatchedObject[]]

/** A kind of object that can be watched, and how to find one. */
export interface WatchableKind<T> {
  readonly kind: WatchedKind
  readonly name: string
  readonly param: Param<T>
  /** Throws if the viewer may not read it. */
  readonly find: (context: Context, db: Db | Tx, viewer: Viewer, id: T) => Promise<ObjectWithContainers>
}

export const watchedArtifact: WatchableKind<ArtifactId> = {
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

export const watchedTracker: WatchableKind<TrackerId> = {
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

export const watchedProject: WatchableKind<ProjectId> = {
  kind: 'project',
  name: 'Project',
  param: idParam<ProjectId>('The project.'),
  async find(_context, db, viewer, id) {
    await findProject(db, viewer, id)
    return [{ kind: 'project', id }]
  },
}

export function watchedObjectAddress({ kind, id }: WatchedObject): string {
  return `${kind}s/${id}`
}

/** The level that applies to the first of these objects, and where it is inherited from. */
export async function effectiveLevel(
  db: Db | Tx,
  account: AccountId,
  objects: readonly WatchedObject[],
): Promise<{ level: Level; inherited_from: string | null }> {
  const chosen = await findChosenLevels(db, account, objects)
  for (const [far, object] of objects.entries()) {
    const level = chosen.get(watchedObjectAddress(object))
    if (level) return { level, inherited_from: far === 0 ? null : watchedObjectAddress(object) }
  }
  const { default_level } = await loadNotificationSettings(db, account)
  return { level: default_level, inherited_from: 'users/self/notification_settings' }
}

async function findChosenLevels(
  db: Db | Tx,
  account: AccountId,
  objects: readonly WatchedObject[],
): Promise<ReadonlyMap<string, Level>> {
  const { rows } = await sql<WatchedObject & { level: Level }>`
    select watch.kind, watch.object_id as id, watch.level from watch
      join unnest(${objects.map(({ kind }) => kind)}::text[], ${objects.map(({ id }) => id)}::bigint[])
        as around (kind, id) on watch.kind = around.kind and watch.object_id = around.id
    where watch.account_id = ${account}`.execute(db)
  return new Map(rows.map((row) => [watchedObjectAddress(row), row.level]))
}
