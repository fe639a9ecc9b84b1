import { idParam, readRoute } from '../platform/http/route.ts'
import { findProject } from './find-project.ts'
import { furtherResources, type ProjectId, projectVersion, representProject } from './project.ts'
import { ProjectFull } from './schemas.ts'
import { serviceResources } from './service-resources.ts'

export const getProject = readRoute({
  method: 'GET',
  path: '/projects/:id',
  operationId: 'getProject',
  summary: 'Show a project.',
  description:
    "Shows name, description, access, services and members' view of a project. Everyone who may see the project. Hidden and absent objects are 404, for anonymous callers 401.",
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  answer: ProjectFull,
  versioned: true,
  async handle({ context, viewer, params }) {
    const project = await findProject(context.db, viewer, params.id)
    const services = await serviceResources(context, [project.id])
    const body = representProject(project, services(project.id), furtherResources(viewer, project))
    return { body, version: projectVersion(project) }
  },
})
