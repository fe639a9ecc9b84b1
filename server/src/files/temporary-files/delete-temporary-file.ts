import { requireAccount } from '../../accounts/auth-errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { getUploadUsage } from '../quota.ts'
import { releaseFiles } from '../release-files.ts'
import { lockTemporary, quotaHeaders, temporaryFileParam, usageHeader } from './temporary-file.ts'

export const deleteTemporaryFile = writeRoute({
  method: 'DELETE',
  path: '/artifact_temporary_files/:id',
  operationId: 'deleteTemporaryFile',
  summary: 'Delete a file that you have uploaded and that is not attached.',
  description:
    'Deletes an upload and frees its space. The account that began the upload. Attached files and uploads of others are 404.',
  access: 'signed_in',
  action: null,
  params: { id: temporaryFileParam },
  answerOptions: { headers: quotaHeaders },
  async handle({ context, viewer, params }, work) {
    const account = requireAccount(viewer)
    const now = context.clock.now()
    const { id, name, size } = await lockTemporary(work.tx, now, account, params.id)
    await releaseFiles(work.tx, [id])
    await work.change({ object: `artifact_files/${id}`, op: 'delete', before: { name, size } })
    return { headers: usageHeader(await getUploadUsage(work.tx, now, account)) }
  },
})
