import { sql } from 'kysely'
import { Type } from 'typebox'
import { cutPage } from '../platform/http/pages.ts'
import { idParam, readRoute } from '../platform/http/route.ts'
import { findProject } from './find-project.ts'
import type { LabelId, ProjectId } from './project.ts'

interface LabelRow {
  id: LabelId
  label: string
  is_outline: boolean
  color: string
}

export const listLabels = readRoute({
  method: 'GET',
  path: '/projects/:id/labels',
  operationId: 'listLabels',
  summary: 'List the labels of a project.',
  description:
    'Lists the labels that artifacts of the project can have. Everyone who may see the project. Hidden and absent objects are 404, for anonymous callers 401.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  query: { query: Type.Optional(Type.String({ description: 'A part of the label.' })) },
  pages: { default: 50, min: 1, max: 50 },
  answer: Type.Object({
    labels: Type.Array(
      Type.Object({ id: Type.Integer(), label: Type.String(), is_outline: Type.Boolean(), color: Type.String() }),
    ),
  }),
  async handle({ context, viewer, params, query, page }) {
    const { id } = await findProject(context.db, viewer, params.id)
    const place = page.after ? sql`label.id > ${page.after[0]}` : sql`true`
    const { rows } = await sql<LabelRow & { id: LabelId | null; size: number }>`
      with fitting as (
        select label.id, label.label, label.is_outline, label.color from label
        where label.project_id = ${id} and position(folded(${query.query ?? ''}) in folded(label.label)) > 0
      )
      select counted.size, shown.* from (select count(*) as size from fitting) counted left join lateral (
        select label.* from fitting label where ${place}
        order by label.id limit ${page.limit + 1} offset ${page.after ? 0 : page.offset}
      ) shown on true
      order by shown.id`.execute(context.db)
    const { rows: labels, next } = cutPage(
      rows.filter((row) => row.id !== null),
      page.limit,
      (row) => [row.id],
    )
    return { body: { labels }, size: rows[0]?.size ?? 0, next }
  },
})
