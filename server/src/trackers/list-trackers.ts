import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { Type } from 'typebox'
import type { Db } from '../platform/database/db.ts'
import { cutPage, type Pagination } from '../platform/http/pages.ts'
import { idParam, readRoute } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { readJsonQuery } from '../platform/wire/json-query.ts'
import { type Catalogue, getMessage } from '../platform/messages/catalogue.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { joinProject } from '../projects/project-sql.ts'
import { findProject } from '../projects/find-project.ts'
import type { ProjectId } from '../projects/project.ts'
import { accessVersion } from './load-tracker.ts'
import { minimalOf, representTracker } from './represent-tracker.ts'
import { TrackerFull, TrackerMinimal } from './schemas.ts'
import { type TrackerAccess, getTrackerAccess } from './tracker-access.ts'
import type { TrackerId } from './tracker.ts'
import { administers, maySeeTracker } from './visibility.ts'

const Query = Type.Object({ is_tracker_admin: Type.Optional(Type.Literal(true)) })

export const listTrackers = readRoute({
  method: 'GET',
  path: '/projects/:id/trackers',
  operationId: 'listTrackers',
  summary: 'List the trackers of a project that the caller may see.',
  description:
    'Lists trackers with structure, or only names with `representation=minimal`. Everyone who may see the project; each caller gets the trackers that they may see. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  query: {
    representation: Type.Optional(Type.Enum(['full', 'minimal'], { description: 'Defaults to `full`.' })),
    query: Type.Optional(
      Type.String({ description: '`{"is_tracker_admin":true}`: only those that the caller administers.' }),
    ),
    with_creation_semantic_check: Type.Optional(
      Type.Array(Type.Enum(['title']), {
        description: 'With `minimal`: the reasons why a value for this semantic alone cannot create an artifact.',
      }),
    ),
  },
  pages: { default: 10, min: 0, max: 50 },
  formats: { sparse: true },
  answer: Type.Array(Type.Union([TrackerFull, TrackerMinimal])),
  async handle({ context, viewer, params, query, page, language }) {
    const { representation = 'full', with_creation_semantic_check: checked = [] } = query
    const wanted = readJsonQuery(Query, query.query)
    if (representation === 'full' && checked.length > 0)
      throw new ApiError('parameter_conflict', {
        path: 'with_creation_semantic_check',
        cause: 'semantic_check_needs_minimal',
      })
    const project = await findProject(context.db, viewer, params.id)
    const only = wanted.is_tracker_admin ? administers(viewer, aliases('tracker', 'project')) : sql<boolean>`true`
    const found = await readTrackers(context.db, viewer, project.id, only, page)
    const shown = cutPage(found.rows, page.limit, ({ label, id }) => [label, id])

    const body: (TrackerFull | TrackerMinimal)[] = []
    for (const row of shown.rows) {
      const tracker = await context.trackers.at(context.db, row.id, row.stamp)
      if (!tracker) continue // Purged concurrently.
      const access = await getTrackerAccess(context.db, tracker, viewer)
      if (representation === 'full') body.push(await representTracker(context, context.db, access, language))
      else {
        const { in_new_dropdown } = tracker.settings
        body.push({ ...minimalOf(tracker, checked.length > 0 ? obstacles(access, language) : []), in_new_dropdown })
      }
    }
    return { body, size: found.size, next: shown.next, placeAt: shown.placeAt }
  },
})

interface Row {
  id: TrackerId
  label: string
  stamp: string
}

/** One statement, so that total and rows share a snapshot; an empty page has one row with the total only. */
async function readTrackers(
  db: Db,
  viewer: Viewer,
  project_id: ProjectId,
  only: RawBuilder<boolean>,
  { after, limit, offset }: Pagination,
): Promise<{ size: number; rows: Row[] }> {
  const place = after
    ? sql`(tracker.label collate waypost, tracker.id) > (${after[0]} collate waypost, ${after[1]}::bigint)`
    : sql`true`
  const seen = sql`tracker ${joinProject(sql`tracker.project_id`)}
    where tracker.project_id = ${project_id} and ${maySeeTracker(viewer, aliases('tracker', 'project'))} and ${only}`
  const { rows } = await sql<(Row | { id: null }) & { size: number }>`
    select counted.size, page.* from (select count(*) as size from ${seen}) counted left join lateral (
      select tracker.id, tracker.label, ${accessVersion} as stamp from ${seen} and ${place}
      order by tracker.label collate waypost, tracker.id limit ${limit + 1} offset ${after ? 0 : offset}
    ) page on true
    order by page.label collate waypost, page.id`.execute(db)
  return { size: rows[0]?.size ?? 0, rows: rows.filter((row) => row.id !== null) }
}

/** The reasons why a title alone does not make an artifact. Fields that the caller may not read are not named. */
function obstacles(access: TrackerAccess, language: Catalogue): string[] {
  const { tracker } = access
  const title = tracker.semantics.title === null ? undefined : tracker.byId.get(tracker.semantics.title)
  if (!title) return [getMessage(language, 'tracker.cannot_create.no_title')]
  const others = tracker.elements.filter((field) => field.is_used && field.is_required && field.id !== title.id)
  return [
    ...(access.maySubmit(title) ? [] : [getMessage(language, 'tracker.cannot_create.title_not_submittable')]),
    ...new Set(
      others.map((field) =>
        access.mayRead(field)
          ? getMessage(language, 'tracker.cannot_create.field_required', { label: field.label })
          : getMessage(language, 'tracker.cannot_create.another_required'),
      ),
    ),
  ]
}
