import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { allOf, type TimeRange, isWithinRange } from '../../platform/database/conditions.ts'
import type { Pagination } from '../../platform/http/pages.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { deletedProjects } from '../../projects/trash/deleted-projects.ts'
import { joinProject } from '../../projects/project-sql.ts'
import { isNotDeleted } from '../../projects/visibility.ts'
import { deletedTrackers } from '../../trackers/deleted-trackers.ts'
import { getTrackerAccess } from '../../trackers/tracker-access.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { Artifact } from '../artifact.ts'
import { artifactColumns } from '../reading/look-rows.ts'
import { readableTitle } from '../reading/title.ts'

export const TRASH_TYPES = ['artifact', 'tracker', 'project', 'repository'] as const
type TrashType = (typeof TRASH_TYPES)[number]

/** A deleted object that is not yet purged. */
export interface TrashRow {
  readonly type: TrashType
  readonly id: number
  /** Null for an artifact, whose title is looked up separately. */
  readonly label: string | null
  readonly project_id: number
  readonly project_label: string
  readonly tracker_id: TrackerId | null
  readonly deleted_by: AccountId | null
  readonly deleted_on: Date | null
  /** In microseconds, for the cursor. */
  readonly at: number
}

export interface TrashFilter extends TimeRange {
  readonly type?: TrashType | undefined
  readonly project?: number | undefined
  readonly tracker?: TrackerId | undefined
}

declare module '../../platform/operation/context.ts' {
  interface Context {
    /** Trash rows of other rooms: type, id, label, project_id, tracker_id, deleted_by, deleted_on. */
    readonly furtherTrash: RawBuilder<unknown>
  }
}

const deletedArtifacts = sql`select 'artifact' as type, artifact.id, null::text as label, artifact.project_id,
  artifact.tracker_id, artifact.deleted_by, artifact.deleted_on from artifact where artifact.deleted_on is not null`

/** A page plus one row, latest first. One statement, so that size and rows agree. */
export async function readTrash(
  { db, furtherTrash }: Pick<Context, 'db' | 'furtherTrash'>,
  filter: TrashFilter,
  { limit, offset, after }: Pagination,
): Promise<{ rows: TrashRow[]; size: number }> {
  const begin = after
    ? sql`(found.at, found.type, found.id) < (${after[0]}::bigint, ${after[1]}::text, ${after[2]}::bigint)`
    : sql`true`
  const { rows } = await sql<(TrashRow | { id: null }) & { size: number }>`
    with found as (
      select each.*, coalesce((extract(epoch from each.deleted_on) * 1000000)::bigint, 0) as at
      from (${deletedArtifacts} union all ${deletedTrackers} union all ${deletedProjects}
        union all ${furtherTrash}) each ${joinProject(sql`each.project_id`)}
      where (each.type = 'project' or ${isNotDeleted(aliases('project'))}) and ${fits(filter)}
    )
    select counted.size, page.* from (select count(*) as size from found) counted
    left join lateral (
      select found.*, project.label as project_label from found ${joinProject(sql`found.project_id`)} where ${begin}
      order by found.at desc, found.type desc, found.id desc limit ${limit + 1} offset ${after ? 0 : offset}
    ) page on true
    order by page.at desc, page.type desc, page.id desc`.execute(db)
  return { size: rows[0]?.size ?? 0, rows: rows.filter((row) => row.id !== null) }
}

function fits({ type, project, tracker, from, to }: TrashFilter): RawBuilder<boolean> {
  return allOf([
    ...(type === undefined ? [] : [sql<boolean>`each.type = ${type}`]),
    ...(project === undefined ? [] : [sql<boolean>`each.project_id = ${project}`]),
    ...(tracker === undefined ? [] : [sql<boolean>`each.tracker_id = ${tracker} and each.type = 'artifact'`]),
    ...isWithinRange(sql`each.deleted_on`, { from, to }),
  ])
}

/** The cursor of the next page. */
export function placeOf({ at, type, id }: TrashRow): [number, string, number] {
  return [at, type, id]
}

/** Titles of the artifacts that this viewer may read. */
export async function titlesIn(
  context: Context,
  viewer: Viewer,
  rows: readonly TrashRow[],
): Promise<ReadonlyMap<number, string>> {
  const ids = rows.filter(({ type }) => type === 'artifact').map(({ id }) => id)
  const titles = new Map<number, string>()
  if (ids.length === 0) return titles
  const { db } = context
  const { rows: found } = await sql<Artifact>`
    select ${artifactColumns} from artifact where artifact.id = any(${ids}::bigint[])`.execute(db)
  for (const [id, artifacts] of Map.groupBy(found, ({ tracker_id }) => tracker_id)) {
    const tracker = await context.trackers.now(db, id)
    const access = tracker && (await getTrackerAccess(db, tracker, viewer))
    for (const artifact of access ? artifacts : []) {
      const title = access && readableTitle({ artifact, access })
      if (title != null) titles.set(artifact.id, title)
    }
  }
  return titles
}

const DAY_MS = 86_400_000

/** The purge date of an object deleted at this time. */
export function purgeOn({ settings }: Pick<Context, 'settings'>, deleted_on: Date): Date {
  return new Date(deleted_on.getTime() + settings.current.trash_retention_days * DAY_MS)
}
