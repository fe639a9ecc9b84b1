import { idParam, writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { findRepository, assertProjectActive, requireSvnAdmin } from '../find-repository.ts'
import type { RepositoryId } from '../repository.ts'
import { DUMP_JOB } from './dump-job.ts'

export const deleteRepository = writeRoute({
  method: 'DELETE',
  path: '/svn/:id',
  operationId: 'deleteRepository',
  summary: 'Put a Subversion repository into the trash; from now on it is gone for everybody, and its name is free.',
  description: 'Deletes a repository and keeps a dump in the trash. Project administrators. Others get 403.',
  access: 'signed_in',
  action: 'repository.delete',
  params: { id: idParam<RepositoryId>('The repository.') },
  status: 202,
  async handle({ context, viewer, params, headers }, work) {
    const { repository, project } = await findRepository(work.tx, viewer, params.id, 'locked')
    requireSvnAdmin(viewer, project)
    const { id, name, version } = repository
    requireVersion(headers['if-match'], { kind: 'repository', id, version })
    assertProjectActive(project)

    await work.tx
      .updateTable('repository')
      .set({ deleted_by: viewer.account_id ?? null, deleted_on: context.clock.now(), version: version + 1 })
      .where('id', '=', id)
      .execute()
    const object = `svn/${id}`
    await work.change({ object, op: 'delete', project_id: project.id, before: { name } })
    await work.recordEvent({ type: 'svn.deleted', object, project_id: project.id })
    // The repository is unreachable from now on; the job moves the folder.
    await work.enqueue({ type: DUMP_JOB, payload: { repository_id: id }, object })
    return {}
  },
})
