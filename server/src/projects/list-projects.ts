import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../platform/database/aliases.ts'
import { Type } from 'typebox'
import type { Viewer } from '../platform/http/viewer.ts'
import type { Context } from '../platform/operation/context.ts'
import type { Db } from '../platform/database/db.ts'
import { cutPage, type Pagination } from '../platform/http/pages.ts'
import { readRoute } from '../platform/http/route.ts'
import { type Project, representProject } from './project.ts'
import { parseProjectsQuery, type ProjectFilter } from './projects-query.ts'
import { ProjectFull } from './schemas.ts'
import { serviceResources } from './service-resources.ts'
import { creationRefusal, isUsableTemplate } from './templates.ts'
import { isRestorable } from './trash/deleted-projects.ts'
import { isMemberOf, mayEnter } from './visibility.ts'

declare module '../platform/operation/context.ts' {
  interface Context {
    /** Whether the viewer administers a tracker of the `project` row. Provided in `ports.ts`. */
    readonly projectsWithAdministeredTracker: AdministeredTracker
  }
}

export type AdministeredTracker = (viewer: Viewer) => RawBuilder<boolean>

export const listProjects = readRoute({
  method: 'GET',
  path: '/projects',
  operationId: 'listProjects',
  summary: 'List the projects that the caller may enter.',
  description:
    'Lists projects by name; `query` filters by membership, administration or short name. Everyone; each caller gets the projects that they may see. Unknown keys of `query` are refused.',
  access: 'everyone',
  query: {
    query: Type.Optional(
      Type.String({
        description:
          'A JSON object with one of `shortname`, `is_tracker_admin`, `with_status`, `is_member_of`, `is_admin_of`, `is_template`. Templates are those that the caller may create a project from: none, if they may not create projects.',
      }),
    ),
  },
  pages: { default: 10, min: 0, max: 50 },
  formats: { sparse: true },
  answer: Type.Array(ProjectFull),
  async handle({ context, viewer, query, page }) {
    const wanted = parseProjectsQuery(query.query, viewer)
    const { size, rows } = await readProjects(context.db, viewer, buildSelection(context, viewer, wanted), page)
    const shown = cutPage(rows, page.limit, ({ id }) => [id])
    const of = await serviceResources(
      context,
      shown.rows.map(({ id }) => id),
    )
    const body = shown.rows.map((project) => representProject(project, of(project.id)))
    return { body, size, next: shown.next, placeAt: shown.placeAt }
  },
})

interface ProjectSelection {
  readonly where: RawBuilder<boolean>
  readonly size: RawBuilder<number>
}

/** The condition for listed projects. Must equal the predicate of the index `project_in_list`. */
export const isListedProject = sql<boolean>`project.status = 'active' and project.id > 100`

function buildSelection(context: Context, viewer: Viewer, wanted: ProjectFilter): ProjectSelection {
  if (wanted.by === 'everything') return enterableSelection(viewer)
  if (wanted.by === 'status' && wanted.status === 'deleted')
    return countedSelection(isRestorable(viewer, aliases('project')))
  if (wanted.by === 'status')
    return countedSelection(sql`project.status = ${wanted.status} and ${mayEnter(viewer, aliases('project'))}`)
  if (wanted.by === 'shortname')
    return countedSelection(sql`folded(project.shortname) = folded(${wanted.shortname})
      and project.shortname = ${wanted.shortname} and ${mayEnter(viewer, aliases('project'))}`)
  if (wanted.by === 'template')
    return countedSelection(mayCreate(context, viewer) ? isUsableTemplate(viewer) : sql`false`)
  const own = {
    member: isMemberRow(viewer),
    admin: isMemberRow(viewer, sql`and member.is_admin`),
    tracker_admin: context.projectsWithAdministeredTracker(viewer),
  }
  return countedSelection(sql`${isListedProject} and ${own[wanted.by]} and ${mayEnter(viewer, aliases('project'))}`)
}

function mayCreate({ settings }: Context, viewer: Viewer): boolean {
  return viewer.account_id !== undefined && creationRefusal(viewer, settings.current) === undefined
}

function countedSelection(where: RawBuilder<boolean>): ProjectSelection {
  return { where, size: sql`select count(*) from project where ${where}` }
}

/**
 * The projects that a viewer may enter: open projects, whose number is precomputed, and those of their memberships.
 * Memberships are loaded once instead of checked per project, which matters with ten thousand projects.
 */
function enterableSelection(viewer: Viewer): ProjectSelection {
  const { account_id, is_restricted, is_site_admin } = viewer
  if (viewer.credential?.projects)
    return countedSelection(sql`${isListedProject} and ${mayEnter(viewer, aliases('project'))}`)
  if (is_site_admin) return { where: isListedProject, size: sql`select sum(listed)::bigint from project_count` }
  const open = is_restricted ? ['unrestricted'] : ['public', 'unrestricted']
  const closed = is_restricted ? ['public', 'private'] : ['private', 'private-wo-restr']
  const size = sql<number>`select sum(listed)::bigint from project_count where access in (${sql.join(open)})`
  if (account_id === undefined)
    return { where: sql`${isListedProject} and project.access in (${sql.join(open)})`, size }
  return {
    where: sql`${isListedProject} and (project.access in (${sql.join(open)})
      or (project.access in (${sql.join(closed)}) and ${isMemberRow(viewer)}))`,
    size: sql`select (${size}) + (select count(*) from project_member member
      join project on project.id = member.project_id
      where member.account_id = ${account_id} and ${isListedProject} and project.access in (${sql.join(closed)}))`,
  }
}

function isMemberRow({ account_id }: Viewer, further: RawBuilder<unknown> = sql``): RawBuilder<boolean> {
  return sql`project.id in (select member.project_id from project_member member
    where member.account_id = ${account_id ?? null} ${further})`
}

/** One statement, so that total and rows share a snapshot; an empty page has one row with the total only. */
async function readProjects(
  db: Db,
  viewer: Viewer,
  { where, size }: ProjectSelection,
  { after, limit, offset }: Pagination,
): Promise<{ size: number; rows: Project[] }> {
  const place = after ? sql`project.id > ${after[0]}` : sql`true`
  const { rows } = await sql<(Project | { id: null }) & { size: number }>`
    select counted.size, page.* from (select (${size}) as size) counted left join lateral (
      select project.id, project.shortname, project.label, project.icon, project.description, project.status,
        project.access, project.is_template, ${isMemberOf(viewer, aliases('project'))} as is_member_of
      from project where ${where} and ${place}
      order by project.id limit ${limit + 1} offset ${after ? 0 : offset}
    ) page on true
    order by page.id`.execute(db)
  return { size: rows[0]?.size ?? 0, rows: rows.filter((row) => row.id !== null) }
}
