import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import type { Db } from '../platform/database/db.ts'
import { cutPage, type Page } from '../platform/http/pages.ts'
import { readRoute } from '../platform/http/route.ts'
import { type Project, representProject } from './project.ts'
import { readProjectsQuery, type Wanted } from './projects-query.ts'
import { ProjectFull } from './schemas.ts'
import { serviceResources } from './service-resources.ts'
import { isMemberOf, mayEnter } from './visibility.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    /** Whether the viewer administers a tracker of the row of `project`. Filled in `ports.ts`. */
    readonly projectsWithAdministeredTracker: AdministeredTracker
  }
}

export type AdministeredTracker = (viewer: Viewer) => RawBuilder<boolean>

export const listProjects = readRoute({
  method: 'GET',
  path: '/projects',
  operationId: 'listProjects',
  summary: 'List the projects that the caller may enter.',
  access: 'everyone',
  query: {
    query: Type.Optional(
      Type.String({
        description:
          'A JSON object with one of `shortname`, `is_tracker_admin`, `with_status`, `is_member_of`, `is_admin_of`.',
      }),
    ),
  },
  pages: { default: 10, min: 0, max: 50 },
  sparse: true,
  answer: Type.Array(ProjectFull),
  async handle({ context, viewer, query, page }) {
    const wanted = readProjectsQuery(query.query, viewer)
    const { size, rows } = await readProjects(context.db, viewer, select(context, viewer, wanted), page)
    const shown = cutPage(rows, page.limit, ({ id }) => [id])
    const of = await serviceResources(
      context,
      shown.rows.map(({ id }) => id),
    )
    const body = shown.rows.map((project) => representProject(project, of(project.id)))
    return { body, size, next: shown.next, placeAt: shown.placeAt }
  },
})

interface Selection {
  readonly where: RawBuilder<boolean>
  readonly size: RawBuilder<number>
}

/** What is in the list, as in the index `project_in_list`, word for word. */
export const listed = sql<boolean>`project.status = 'active' and project.id > 100`

function select(context: Context, viewer: Viewer, wanted: Wanted): Selection {
  if (wanted.by === 'everything') return entered(viewer)
  if (wanted.by === 'status') return counted(sql`project.status = ${wanted.status}`)
  if (wanted.by === 'shortname')
    return counted(sql`folded(project.shortname) = folded(${wanted.shortname})
      and project.shortname = ${wanted.shortname} and ${mayEnter(viewer)}`)
  const own = {
    member: among(viewer),
    admin: among(viewer, sql`and member.is_admin`),
    tracker_admin: context.projectsWithAdministeredTracker(viewer),
  }
  return counted(sql`${listed} and ${own[wanted.by]} and ${mayEnter(viewer)}`)
}

function counted(where: RawBuilder<boolean>): Selection {
  return { where, size: sql`select count(*) from project where ${where}` }
}

/**
 * What a viewer may enter is what is open, which is counted already, and what he is a member of. Memberships are
 * collected once: with ten thousand projects nobody asks each of them for its members.
 */
function entered(viewer: Viewer): Selection {
  const { account_id, is_restricted, is_site_admin } = viewer
  if (is_site_admin) return { where: listed, size: sql`select sum(listed)::bigint from project_count` }
  const open = is_restricted ? ['unrestricted'] : ['public', 'unrestricted']
  const closed = is_restricted ? ['public', 'private'] : ['private', 'private-wo-restr']
  const size = sql<number>`select sum(listed)::bigint from project_count where access in (${sql.join(open)})`
  if (account_id === undefined) return { where: sql`${listed} and project.access in (${sql.join(open)})`, size }
  return {
    where: sql`${listed} and (project.access in (${sql.join(open)})
      or (project.access in (${sql.join(closed)}) and ${among(viewer)}))`,
    size: sql`select (${size}) + (select count(*) from project_member member
      join project on project.id = member.project_id
      where member.account_id = ${account_id} and ${listed} and project.access in (${sql.join(closed)}))`,
  }
}

function among({ account_id }: Viewer, further: RawBuilder<unknown> = sql``): RawBuilder<boolean> {
  return sql`project.id in (select member.project_id from project_member member
    where member.account_id = ${account_id ?? null} ${further})`
}

/** One statement, so that size and rows are of one moment; without rows, one row has the size alone. */
async function readProjects(
  db: Db,
  viewer: Viewer,
  { where, size }: Selection,
  { after, limit, offset }: Page,
): Promise<{ size: number; rows: Project[] }> {
  const place = after ? sql`project.id > ${after[0]}` : sql`true`
  const { rows } = await sql<(Project | { id: null }) & { size: number }>`
    select counted.size, page.* from (select (${size}) as size) counted left join lateral (
      select project.id, project.shortname, project.label, project.icon, project.description, project.status,
        project.access, project.is_template, ${isMemberOf(viewer)} as is_member_of
      from project where ${where} and ${place}
      order by project.id limit ${limit + 1} offset ${after ? 0 : offset}
    ) page on true
    order by page.id`.execute(db)
  return { size: rows[0]?.size ?? 0, rows: rows.filter((row) => row.id !== null) }
}
