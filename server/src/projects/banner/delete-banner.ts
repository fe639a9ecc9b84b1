import { idParam, writeRoute } from '../../platform/http/route.ts'
import type { ProjectId } from '../project.ts'
import { writeBanner } from './banner.ts'

export const deleteBanner = writeRoute({
  method: 'DELETE',
  path: '/projects/:id/banner',
  operationId: 'deleteBanner',
  summary: 'Delete the banner of a project.',
  description:
    'Removes the message at the top of the pages. Project administrators. 404 `not_set` if there is no banner; other members get 403.',
  access: 'signed_in',
  action: 'project.banner',
  notifies: true,
  params: { id: idParam<ProjectId>('The project.') },
  async handle({ viewer, params }, work) {
    await writeBanner(work, viewer, params.id, null)
    return {}
  },
})
