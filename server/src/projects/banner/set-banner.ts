import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { ProjectId } from '../project.ts'
import { Banner, writeBanner } from './banner.ts'

export const setBanner = writeRoute({
  method: 'PUT',
  path: '/projects/:id/banner',
  operationId: 'setBanner',
  summary: 'Set the banner of a project.',
  description:
    'Sets the message at the top of every page of the project. Project administrators. An empty message is refused; other members get 403.',
  access: 'signed_in',
  action: 'project.banner',
  notifies: true,
  params: { id: idParam<ProjectId>('The project.') },
  body: Banner,
  async handle({ viewer, params, body }, work) {
    await writeBanner(work, viewer, params.id, body.message)
    return {}
  },
})
