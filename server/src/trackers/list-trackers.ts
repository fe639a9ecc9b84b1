import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Db } from '../platform/database/db.ts'
import { cutPage, type Page } from '../platform/http/pages.ts'
import { idParam, readRoute } from '../platform/http/route.ts'
import type { Viewer } from '../platform/http/viewer.ts'
import { readJsonQuery } from '../platform/wire/json-query.ts'
import { type Catalogue, text } from '../platform/words/catalogue.ts'
import { ApiError } from '../platform/words/errors.ts'
import { itsProject } from '../projects/its-project.ts'
import { findProject } from '../projects/find-project.ts'
import type { ProjectId } from '../projects/project.ts'
import { stamp } from './load-tracker.ts'
import { minimalOf, representTracker } from './represent-tracker.ts'
import { TrackerFull, TrackerMinimal } from './schemas.ts'
import { type Sight, sightOf } from './sight.ts'
import type { TrackerId } from './tracker.ts'
import { administers, maySeeTracker } from './visibility.ts'

const Query = Type.Object({ is_tracker_admin: Type.Optional(Type.Literal(true)) })

export const listTrackers = readRoute({
  method: 'GET',
  path: '/projects/:id/trackers',
  operationId: 'listTrackers',
  summary: 'List the trackers of a project that the caller may see.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  query: {
    representation: Type.Optional(Type.Enum(['full', 'minimal'], { description: '`full` unless told otherwise.' })),
    query: Type.Optional(
      Type.String({ description: '`{"is_tracker_admin":true}`: only those that the caller administers.' }),
    ),
    with_creation_semantic_check: Type.Optional(
      Type.Array(Type.Enum(['title']), {
        description: 'With `minimal`: why no artifact can be made from this semantic alone.',
      }),
    ),
  },
  pages: { default: 10, min: 0, max: 50 },
  sparse: true,
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
    const only = wanted.is_tracker_admin ? administers(viewer) : sql<boolean>`true`
    const found = await readTrackers(context.db, viewer, project.id, only, page)
    const shown = cutPage(found.rows, page.limit, ({ label, id }) => [label, id])

    const body: (TrackerFull | TrackerMinimal)[] = []
    for (const row of shown.rows) {
      const tracker = await context.trackers.at(context.db, row.id, row.stamp)
      if (!tracker) continue // Purged a moment ago.
      const sight = await sightOf(context.db, tracker, viewer)
      if (representation === 'full') body.push(await representTracker(context, context.db, sight, language))
      else body.push(minimalOf(tracker, checked.length > 0 ? obstacles(sight, language) : []))
    }
    return { body, size: found.size, next: shown.next, placeAt: shown.placeAt }
  },
})

interface Row {
  id: TrackerId
  label: string
  stamp: string
}

/** One statement, so that size and rows are of one moment; without rows, one row has the size alone. */
async function readTrackers(
  db: Db,
  viewer: Viewer,
  project_id: ProjectId,
  only: RawBuilder<boolean>,
  { after, limit, offset }: Page,
): Promise<{ size: number; rows: Row[] }> {
  const place = after
    ? sql`(tracker.label collate waypost, tracker.id) > (${after[0]} collate waypost, ${after[1]}::bigint)`
    : sql`true`
  const seen = sql`tracker ${itsProject(sql`tracker.project_id`)}
    where tracker.project_id = ${project_id} and ${maySeeTracker(viewer)} and ${only}`
  const { rows } = await sql<(Row | { id: null }) & { size: number }>`
    select counted.size, page.* from (select count(*) as size from ${seen}) counted left join lateral (
      select tracker.id, tracker.label, ${stamp} as stamp from ${seen} and ${place}
      order by tracker.label collate waypost, tracker.id limit ${limit + 1} offset ${after ? 0 : offset}
    ) page on true
    order by page.label collate waypost, page.id`.execute(db)
  return { size: rows[0]?.size ?? 0, rows: rows.filter((row) => row.id !== null) }
}

/** Why an artifact cannot be made from a title alone. What the caller may not read is not named. */
function obstacles(sight: Sight, language: Catalogue): string[] {
  const { tracker } = sight
  const title = tracker.semantics.title === null ? undefined : tracker.byId.get(tracker.semantics.title)
  if (!title) return [text(language, 'tracker.cannot_create.no_title')]
  const others = tracker.elements.filter((field) => field.is_used && field.is_required && field.id !== title.id)
  return [
    ...(sight.maySubmit(title) ? [] : [text(language, 'tracker.cannot_create.title_not_submittable')]),
    ...new Set(
      others.map((field) =>
        sight.mayRead(field)
          ? text(language, 'tracker.cannot_create.field_required', { label: field.label })
          : text(language, 'tracker.cannot_create.another_required'),
      ),
    ),
  ]
}
