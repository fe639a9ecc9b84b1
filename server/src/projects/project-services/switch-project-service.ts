import { Type } from 'typebox'
import { hiddenError } from '../../accounts/auth-errors.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { bumpRightsEpoch } from '../membership.ts'
import type { ProjectServiceId } from '../project.ts'
import { isSwitchable } from './project-service.ts'
import { findWritableProject } from '../writable-project.ts'

export const switchProjectService = writeRoute({
  method: 'PUT',
  path: '/project_services/:id',
  operationId: 'switchProjectService',
  summary: 'Switch a service of a project on or off.',
  description:
    'Switches a service, such as trackers or Subversion, on or off. Project administrators. Services that cannot be switched are 400; other members get 403.',
  access: 'signed_in',
  action: 'project.service',
  notifies: true,
  params: { id: idParam<ProjectServiceId>('The service.') },
  body: Type.Object({ is_enabled: Type.Boolean() }),
  async handle({ viewer, params: { id }, body: { is_enabled } }, work) {
    const service = await work.tx
      .selectFrom('project_service')
      .select(['project_id', 'name', 'is_enabled'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!service) throw hiddenError(viewer)
    const { id: project_id } = await findWritableProject(work.tx, viewer, service.project_id)
    if (!isSwitchable(service)) throw new ApiError('rule_violated', { cause: 'not_switchable' })
    if (service.is_enabled === is_enabled) return {}

    await work.tx.updateTable('project_service').set({ is_enabled }).where('id', '=', id).execute()
    await bumpRightsEpoch(work.tx, project_id)
    await work.change({
      object: `project_services/${id}`,
      op: 'update',
      project_id,
      before: { is_enabled: service.is_enabled },
      after: { is_enabled },
    })
    await work.recordEvent({
      type: 'project.changed',
      object: `projects/${project_id}`,
      project_id,
      payload: { changed: ['services'] },
    })
    return {}
  },
})
