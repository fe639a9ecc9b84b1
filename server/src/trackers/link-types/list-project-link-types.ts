import { Type } from 'typebox'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findProject } from '../../projects/find-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findProjectLinkTypes } from './find-link-type.ts'
import { cutLinkTypes, LINK_TYPE_PAGES, ProjectLinkType, representProjectLinkType } from './represent-link-type.ts'

export const listProjectLinkTypes = readRoute({
  method: 'GET',
  path: '/projects/:id/link_types',
  operationId: 'listProjectLinkTypes',
  summary: 'List all link types, and whether each is enabled in a project.',
  description:
    'Lists the types of links, and which of them new links in the project may have. Everyone who sees the project. A hidden project is 404.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  pages: LINK_TYPE_PAGES,
  answer: Type.Array(ProjectLinkType),
  async handle({ context: { db }, viewer, params, page }) {
    const { id } = await findProject(db, viewer, params.id)
    const { rows, size, next, placeAt } = cutLinkTypes(await findProjectLinkTypes(db, id), page)
    return { body: rows.map((type) => representProjectLinkType(id, type)), size, next, placeAt }
  },
})
