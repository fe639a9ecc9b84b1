import { Type } from 'typebox'
import { requireSiteAdmin } from '../accounts/auth-errors.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { idParam, writeRoute } from '../platform/http/route.ts'
import { findProject } from './find-project.ts'
import { recordRightsEvent } from './membership.ts'
import { type ProjectId, type ProjectStatus, MAX_RESERVED_ID } from './project.ts'

export const changeProjectStatus = writeRoute({
  method: 'PATCH',
  path: '/projects/:id',
  operationId: 'changeProjectStatus',
  summary: 'Suspend, reactivate or approve a project.',
  access: 'signed_in',
  action: 'project.status',
  params: { id: idParam<ProjectId>('The project.') },
  body: Type.Object({ status: Type.Enum(['active', 'suspended']) }),
  async handle({ viewer, params: { id }, body: { status } }, work) {
    await findProject(work.tx, viewer, id)
    requireSiteAdmin(viewer)
    const before = await lockStatus(work.tx, id)
    if (id <= MAX_RESERVED_ID || before === 'deleted') throw new ApiError('project_protected')
    if (before === status) return {}

    await work.tx
      .updateTable('project')
      .set((row) => ({ status, version: row('version', '+', 1), rights_epoch: row('rights_epoch', '+', 1) }))
      .where('id', '=', id)
      .execute()
    const object = `projects/${id}`
    await work.change({ object, op: 'update', project_id: id, before: { status: before }, after: { status } })
    await work.recordEvent({ type: 'project.changed', object, project_id: id, payload: { changed: ['status'] } })
    await recordRightsEvent(work, id, 'everybody')
    return {}
  },
})

/** The status, locked until the transaction ends. */
async function lockStatus(tx: Tx, id: ProjectId): Promise<ProjectStatus> {
  const { status } = await tx
    .selectFrom('project')
    .select('status')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return status
}
