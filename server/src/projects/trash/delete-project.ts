import { idParam, writeRoute } from '../../platform/http/route.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { lockAdministeredProject } from '../lock-project.ts'
import { recordRightsEvent } from '../membership.ts'
import { MAX_RESERVED_ID, type ProjectId, projectVersion } from '../project.ts'
import { countProjectContents } from './project-contents.ts'

export const deleteProject = writeRoute({
  method: 'DELETE',
  path: '/projects/:id',
  operationId: 'deleteProject',
  summary: 'Move a project and everything in it to the trash; it is hidden from everyone at once. A dry run counts it.',
  description:
    'Moves the project with its trackers, artifacts, files and repositories to the trash, from which it can be restored until the purge. Project administrators and site administrators. A reserved project is 403; a dry run counts what would go.',
  access: 'signed_in',
  action: 'project.delete',
  notifies: true,
  params: { id: idParam<ProjectId>('The project.') },
  async handle({ context, viewer, params: { id }, headers }, work) {
    const { tx } = work
    const project = await lockAdministeredProject(tx, viewer, id)
    requireVersion(headers['if-match'], projectVersion(project))
    if (id <= MAX_RESERVED_ID) throw new ApiError('project_protected')

    const { shortname, label, status, version } = project
    const contents = await countProjectContents(context, tx, id)
    await tx
      .updateTable('project')
      .set((row) => ({
        status: 'deleted',
        deleted_by: viewer.account_id ?? null,
        deleted_on: context.clock.now(),
        deleted_status: status,
        version: version + 1,
        rights_epoch: row('rights_epoch', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
    const object = `projects/${id}`
    await work.change({ object, op: 'delete', project_id: id, before: { shortname, label, status, ...contents } })
    await work.recordEvent({ type: 'project.changed', object, project_id: id, payload: { changed: ['status'] } })
    await recordRightsEvent(work, id, 'everybody')
    return {}
  },
})
