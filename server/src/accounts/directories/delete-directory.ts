import { writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { directoryParam, directoryVersion, lockDirectory } from './directory.ts'

export const deleteDirectory = writeRoute({
  method: 'DELETE',
  path: '/directories/:name',
  operationId: 'deleteDirectory',
  summary: 'Remove a directory (LDAP) whose people sign in.',
  description:
    'Removes a directory and the links of accounts to it; accounts, sessions and memberships stay, and their owners can set a password by mail. Site administrators only. A stale `If-Match` is 412.',
  access: 'signed_in',
  action: 'directory.delete',
  sensitive: true,
  params: { name: directoryParam },
  async handle({ viewer, params: { name }, headers }, work) {
    requireSiteAdmin(viewer)
    const found = await lockDirectory(work.tx, name)
    requireVersion(headers['if-match'], directoryVersion(found))
    await work.tx.deleteFrom('directory').where('name', '=', name).execute()
    const { urls, people_base } = found.settings
    await work.change({ object: `directories/${name}`, op: 'delete', before: { urls, people_base } })
    return {}
  },
})
