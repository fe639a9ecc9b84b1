import { writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { endSessionsOfProvider } from './end-identity-sessions.ts'
import { lockProvider, providerParam, providerVersion } from './identity-provider.ts'

export const deleteIdentityProvider = writeRoute({
  method: 'DELETE',
  path: '/identity_providers/:name',
  operationId: 'deleteIdentityProvider',
  summary: 'Remove a provider by which people sign in.',
  description:
    'Removes a provider and the links of accounts to it, and ends the sessions that began there; accounts and memberships stay. Site administrators only. A stale `If-Match` is 412.',
  access: 'signed_in',
  action: 'identity_provider.delete',
  sensitive: true,
  params: { name: providerParam },
  async handle({ viewer, params: { name }, headers }, work) {
    requireSiteAdmin(viewer)
    const found = await lockProvider(work.tx, name)
    requireVersion(headers['if-match'], providerVersion(found))
    await endSessionsOfProvider(work.tx, name)
    await work.tx.deleteFrom('identity_provider').where('name', '=', name).execute()
    const { issuer, client_id } = found.settings
    await work.change({ object: `identity_providers/${name}`, op: 'delete', before: { issuer, client_id } })
    return {}
  },
})
