import { requireAccount } from '../../accounts/refusals.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { usageOf } from '../quota.ts'
import { releaseFiles } from '../release-files.ts'
import { lockTemporary, quotaHeaders, temporaryFileParam, usageHeader } from './temporary-file.ts'

export const deleteTemporaryFile = writeRoute({
  method: 'DELETE',
  path: '/artifact_temporary_files/:id',
  operationId: 'deleteTemporaryFile',
  summary: 'Delete a file that you have uploaded and that nothing has yet.',
  access: 'signed_in',
  action: null,
  params: { id: temporaryFileParam },
  answerHeaders: quotaHeaders,
  async handle({ context, viewer, params }, work) {
    const account = requireAccount(viewer)
    const now = context.clock.now()
    const { id, name, size } = await lockTemporary(work.tx, now, account, params.id)
    await releaseFiles(work.tx, [id])
    await work.change({ object: `artifact_files/${id}`, op: 'delete', before: { name, size } })
    return { headers: usageHeader(await usageOf(work.tx, now, account)) }
  },
})
