import { ApiError } from '../../platform/messages/errors.ts'
import { idParam, readRoute } from '../../platform/http/route.ts'
import { findProject } from '../find-project.ts'
import type { ProjectId } from '../project.ts'
import { Banner } from './banner.ts'

export const getBanner = readRoute({
  method: 'GET',
  path: '/projects/:id/banner',
  operationId: 'getBanner',
  summary: 'Show the banner of a project.',
  description:
    'Shows the message at the top of every page of the project. Everyone who may see the project. 404 `not_set` if there is no banner.',
  access: 'everyone',
  params: { id: idParam<ProjectId>('The project.') },
  answer: Banner,
  async handle({ context, viewer, params }) {
    const { banner: message } = await findProject(context.db, viewer, params.id)
    if (message === null) throw new ApiError('not_set')
    return { body: { message } }
  },
})
