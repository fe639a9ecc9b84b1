import { Type } from 'typebox'
import { requireSiteAdmin } from '../accounts/refusals.ts'
import type { Tx } from '../platform/database/db.ts'
import { ApiError } from '../platform/words/errors.ts'
import { idParam, writeRoute } from '../platform/http/route.ts'
import { findProject } from './find-project.ts'
import { tellRights } from './membership.ts'
import { type ProjectId, type ProjectStatus, RESERVED } from './project.ts'

export const changeProjectStatus = writeRoute({
  method: 'PATCH',
  path: '/projects/:id',
  operationId: 'changeProjectStatus',
  summary: 'Suspend a project, or make it active: also one that waits for approval.',
  access: 'signed_in',
  action: 'project.status',
  params: { id: idParam<ProjectId>('The project.') },
  body: Type.Object({ status: Type.Enum(['active', 'suspended']) }),
  async handle({ viewer, params: { id }, body: { status } }, work) {
    await findProject(work.tx, viewer, id)
    requireSiteAdmin(viewer)
    const before = await lockStatus(work.tx, id)
    if (id <= RESERVED || before === 'deleted') throw new ApiError('project_protected')
    if (before === status) return {}

    await work.tx
      .updateTable('project')
      .set((row) => ({ status, version: row('version', '+', 1), rights_epoch: row('rights_epoch', '+', 1) }))
      .where('id', '=', id)
      .execute()
    const object = `projects/${id}`
    await work.change({ object, op: 'update', project_id: id, before: { status: before }, after: { status } })
    await work.tell({ type: 'project.changed', object, project_id: id, payload: { changed: ['status'] } })
    await tellRights(work, id, 'everybody')
    return {}
  },
})

/** The status, which stays so until the transaction ends. */
async function lockStatus(tx: Tx, id: ProjectId): Promise<ProjectStatus> {
  const { status } = await tx
    .selectFrom('project')
    .select('status')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return status
}
