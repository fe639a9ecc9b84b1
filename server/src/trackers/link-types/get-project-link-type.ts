import { idParam, readRoute } from '../../platform/http/route.ts'
import { findProject } from '../../projects/find-project.ts'
import type { ProjectId } from '../../projects/project.ts'
import { findProjectLinkTypes, requireLinkType } from './find-link-type.ts'
import { linkTypeParam, ProjectLinkType, representProjectLinkType } from './represent-link-type.ts'

export const getProjectLinkType = readRoute({
  method: 'GET',
  path: '/projects/:id/link_types/:name',
  operationId: 'getProjectLinkType',
  summary: 'Show a link type, and whether it is enabled in a project.',
  description:
    'Shows one type of link and whether new links in the project may have it. Everyone who sees the project. An unknown name and a hidden project are 404.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.'), name: linkTypeParam },
  answer: ProjectLinkType,
  async handle({ context: { db }, viewer, params }) {
    const { id } = await findProject(db, viewer, params.id)
    const type = requireLinkType(await findProjectLinkTypes(db, id), params.name)
    return { body: representProjectLinkType(id, type) }
  },
})
