import { Type } from 'typebox'
import { hiddenFrom } from '../../accounts/refusals.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { idParam, writeRoute } from '../../platform/http/route.ts'
import { moveRights } from '../membership.ts'
import type { ProjectServiceId } from '../project.ts'
import { isSwitchable } from './project-service.ts'
import { findAdministeredProject } from '../writable-project.ts'

export const switchProjectService = writeRoute({
  method: 'PUT',
  path: '/project_services/:id',
  operationId: 'switchProjectService',
  summary: 'Switch a service of a project on or off.',
  access: 'signed_in',
  action: 'project.service',
  params: { id: idParam<ProjectServiceId>('The service.') },
  body: Type.Object({ is_enabled: Type.Boolean() }),
  async handle({ viewer, params: { id }, body: { is_enabled } }, work) {
    const service = await work.tx
      .selectFrom('project_service')
      .select(['project_id', 'name', 'is_enabled'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!service) throw hiddenFrom(viewer)
    const { id: project_id } = await findAdministeredProject(work.tx, viewer, service.project_id)
    if (!isSwitchable(service)) throw new ApiError('rule_violated', { cause: 'not_switchable' })
    if (service.is_enabled === is_enabled) return {}

    await work.tx.updateTable('project_service').set({ is_enabled }).where('id', '=', id).execute()
    await moveRights(work.tx, project_id)
    await work.change({
      object: `project_services/${id}`,
      op: 'update',
      project_id,
      before: { is_enabled: service.is_enabled },
      after: { is_enabled },
    })
    await work.tell({
      type: 'project.changed',
      object: `projects/${project_id}`,
      project_id,
      payload: { changed: ['services'] },
    })
    return {}
  },
})
