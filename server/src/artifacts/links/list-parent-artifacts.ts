import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '../../platform/database/db.ts'
import { cutPage, type Pagination } from '../../platform/http/pages.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import { memberships } from '../../projects/groups/memberships.ts'
import { findTracker } from '../../trackers/find-tracker.ts'
import { minimalOf } from '../../trackers/represent-tracker.ts'
import { TrackerMinimal } from '../../trackers/schemas.ts'
import { type TrackerAccess, getTrackerAccess } from '../../trackers/tracker-access.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { Artifact, ArtifactId } from '../artifact.ts'
import { artifactColumns } from '../reading/look-rows.ts'
import { readableStatus } from '../reading/represent-artifact.ts'
import { readableTitle } from '../reading/title.ts'
import { maySeeArtifact, joinTrackerProjectAndMe } from '../visibility.ts'

export const listParentArtifacts = readRoute({
  method: 'GET',
  path: '/trackers/:id/parent_artifacts',
  operationId: 'listParentArtifacts',
  summary: 'List the open artifacts that could be parents of those in a tracker.',
  description:
    'For pickers: open artifacts of the parent tracker, newest first. Everyone who may see the tracker; each caller gets artifacts that they may read. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<TrackerId>('The tracker of the children.') },
  pages: { default: 100, min: 0, max: 1000 },
  answer: Type.Array(
    Type.Object({
      id: Type.Integer(),
      title: nullable(Type.String()),
      xref: Type.String(),
      uri: Type.String(),
      html_url: Type.String(),
      tracker: TrackerMinimal,
      full_status: nullable(Type.Object({ value: Type.String(), color: nullable(Type.String()) })),
    }),
  ),
  async handle({ context, viewer, params, page }) {
    const { db } = context
    const { tracker: child } = await findTracker(context, db, viewer, params.id)
    const parent = child.parent_id === null ? undefined : await context.trackers.now(db, child.parent_id)
    if (!parent) return { body: [], size: 0 }
    const access = await getTrackerAccess(db, parent, viewer)
    const { size, rows } = await readOpen(db, viewer, access, page)
    const shown = cutPage(rows, page.limit, ({ id }) => [id])
    const body = shown.rows.map((artifact) => {
      const { id } = artifact
      const status = readableStatus({ artifact, access })
      return {
        id,
        title: readableTitle({ artifact, access }),
        xref: `${parent.item_name} #${id}`,
        uri: `artifacts/${id}`,
        html_url: `/artifacts/${id}`,
        tracker: minimalOf(parent, null),
        full_status: status && { value: status.label, color: status.color },
      }
    })
    return { body, size, next: shown.next, placeAt: shown.placeAt }
  },
})

/** The visible open artifacts, newest first. */
async function readOpen(
  db: Db,
  viewer: Viewer,
  access: TrackerAccess,
  { after, limit, offset }: Pagination,
): Promise<{ size: number; rows: Artifact[] }> {
  const open = sql`artifact ${joinTrackerProjectAndMe}
    where artifact.tracker_id = ${access.tracker.id} and ${maySeeArtifact(viewer, joinTrackerProjectAndMe)} and ${isOpen(access)}`
  const place = after ? sql`artifact.id < ${after[0]}::bigint` : sql`true`
  const { rows } = await sql<(Artifact | { id: null }) & { size: number }>`
    with me as materialized (${memberships(viewer)})
    select counted.size, page.* from (select count(*) as size from ${open}) counted left join lateral (
      select ${artifactColumns} from ${open} and ${place}
      order by artifact.id desc limit ${limit + 1} offset ${after ? 0 : offset}
    ) page on true
    order by page.id desc`.execute(db)
  return { size: rows[0]?.size ?? 0, rows: rows.filter((row): row is Artifact & { size: number } => hasId(row)) }
}

function hasId(row: { id: ArtifactId | null }): boolean {
  return row.id !== null
}

/** An artifact with an open status is open. If the viewer may not read the status, none is open. */
function isOpen(access: TrackerAccess): RawBuilder<unknown> {
  const { tracker } = access
  const { status } = tracker.semantics
  if (!status) return sql`true`
  const field = tracker.byId.get(status.field_id)
  if (!field || !access.mayRead(field)) return sql`false`
  return sql`exists (select from value_index where value_index.artifact_id = artifact.id
    and value_index.field_id = ${field.id} and value_index.value = any(${status.open}::bigint[]))`
}
