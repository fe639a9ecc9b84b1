import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { findEnterableProjects } from '../../projects/enterable-projects.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findVisibleTrackers } from '../../trackers/find-visible-trackers.ts'
import { projectReferenceOf } from '../../trackers/represent-tracker.ts'
import { ProjectReference } from '../../trackers/schemas.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { findArtifactsInOrder } from '../reading/find-artifact.ts'
import { readableTitle } from '../reading/title.ts'

export const ListedObject = Type.Object(
  {
    kind: Type.Enum(['project', 'tracker', 'artifact']),
    id: Type.Integer(),
    uri: Type.String(),
    html_url: Type.String({ description: 'The address of its page.' }),
    label: Type.String({ description: 'The name of a project or tracker, the title of an artifact.' }),
    xref: nullable(Type.String(), 'The reference of an artifact; null for others.'),
    tracker: nullable(
      Type.Object({ label: Type.String(), color_name: Type.String() }),
      'The tracker itself, or that of the artifact; null for a project.',
    ),
    project: ProjectReference,
    on: Type.String({ format: 'date-time', description: 'When it was added, or seen last.' }),
  },
  { title: 'ListedObject' },
)
type ListedObject = Static<typeof ListedObject>

/** Exactly one of the ids is set. */
export interface ListedIds {
  readonly project_id: ProjectId | null
  readonly tracker_id: TrackerId | null
  readonly artifact_id: ArtifactId | null
}

/** A row of either table. */
export interface ListedRow extends ListedIds {
  readonly on: Date
}

/** The rows whose objects the viewer may see, in their order. The statements that load the objects check visibility. */
export async function representListed(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  rows: readonly ListedRow[],
): Promise<ListedObject[]> {
  const shown = await nameListed(context, db, viewer, rows)
  return rows.flatMap((row) => {
    const object = shown.get(addressOf(row))
    return object ? [{ ...object, on: apiDate(row.on) }] : []
  })
}

/** The objects that the viewer may see, by their address below `/api`. */
export async function nameListed(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  rows: readonly ListedIds[],
): Promise<ReadonlyMap<string, Undated>> {
  const idsOf = <T>(idOf: (row: ListedIds) => T | null) => rows.map(idOf).filter((id) => id !== null)
  const parts = [
    await listedProjects(
      db,
      viewer,
      idsOf(({ project_id }) => project_id),
    ),
    await listedTrackers(
      context,
      db,
      viewer,
      idsOf(({ tracker_id }) => tracker_id),
    ),
    await listedArtifacts(
      context,
      db,
      viewer,
      idsOf(({ artifact_id }) => artifact_id),
    ),
  ]
  return new Map(parts.flat().map((each) => [each.uri, each]))
}

function addressOf({ project_id, tracker_id, artifact_id }: ListedIds): string {
  if (project_id !== null) return `projects/${project_id}`
  return tracker_id === null ? `artifacts/${artifact_id}` : `trackers/${tracker_id}`
}

type Undated = Omit<ListedObject, 'on'>

async function listedProjects(db: Db | Tx, viewer: Viewer, ids: readonly ProjectId[]): Promise<Undated[]> {
  if (ids.length === 0) return []
  const projects = await findEnterableProjects(db, viewer, ids)
  return projects.map((project) => ({
    kind: 'project',
    id: project.id,
    uri: `projects/${project.id}`,
    html_url: `/projects/${project.shortname}`,
    label: project.label,
    xref: null,
    tracker: null,
    project: projectReferenceOf({ project }),
  }))
}

async function listedTrackers(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly TrackerId[],
): Promise<Undated[]> {
  if (ids.length === 0) return []
  const isAmong = sql<boolean>`tracker.id = any(${ids}::bigint[])`
  const accesses = await findVisibleTrackers(context, db, viewer, isAmong, ids.length)
  return accesses.map(({ tracker }) => ({
    kind: 'tracker',
    id: tracker.id,
    uri: `trackers/${tracker.id}`,
    html_url: `/trackers/${tracker.id}`,
    label: tracker.label,
    xref: null,
    tracker: { label: tracker.label, color_name: tracker.color_name },
    project: projectReferenceOf(tracker),
  }))
}

async function listedArtifacts(
  context: Context,
  db: Db | Tx,
  viewer: Viewer,
  ids: readonly ArtifactId[],
): Promise<Undated[]> {
  if (ids.length === 0) return []
  const found = await findArtifactsInOrder(context, db, viewer, ids, { extent: 'head' })
  return found.map((each) => {
    const { id } = each.artifact
    const { tracker } = each.access
    const xref = `${tracker.item_name} #${id}`
    return {
      kind: 'artifact',
      id,
      uri: `artifacts/${id}`,
      html_url: `/artifacts/${id}`,
      label: readableTitle(each) ?? xref,
      xref,
      tracker: { label: tracker.label, color_name: tracker.color_name },
      project: projectReferenceOf(tracker),
    }
  })
}
