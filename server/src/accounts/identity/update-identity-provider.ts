import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { requireVersion } from '../../platform/wire/etag.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { endSessionsOfProvider } from './end-identity-sessions.ts'
import { findProvider, lockProvider, providerParam, providerVersion, representProvider } from './identity-provider.ts'
import { requireMappedGroups } from './group-mapping.ts'
import { toStoredSecret } from './identity-secret.ts'
import { requireProviderRules } from './provider-rules.ts'
import { ProviderAnswer, ProviderChanges, type ProviderSettings } from './provider-settings.ts'
import { differenceOfSettings } from './settings-difference.ts'

export const updateIdentityProvider = writeRoute({
  method: 'PATCH',
  path: '/identity_providers/:name',
  operationId: 'updateIdentityProvider',
  summary: 'Change a provider by which people sign in.',
  description:
    'Changes settings of a provider, or its secret; absent members stay. Site administrators only. Name and issuer never change, because accounts belong to them. With `is_enabled` false the sessions that began there end.',
  access: 'signed_in',
  action: 'identity_provider.update',
  sensitive: true,
  params: { name: providerParam },
  body: ProviderChanges,
  answer: ProviderAnswer,
  versioned: true,
  async prepare({ context, viewer, params: { name }, body: { client_secret: _secret, ...changes } }) {
    requireSiteAdmin(viewer)
    const found = await findProvider(context.db, name)
    if (!found) throw new ApiError('not_found')
    await requireMappedGroups(context, { ...found.settings, ...changes })
  },
  async handle({ context, params: { name }, body: { client_secret, ...changes }, headers }, work) {
    const found = await lockProvider(work.tx, name)
    requireVersion(headers['if-match'], providerVersion(found))
    const settings: ProviderSettings = { ...found.settings, ...changes }
    const secret = toStoredSecret(context.secrets, 'identity_provider', client_secret, found.secret)
    requireProviderRules(settings, secret !== null)

    const { before, after } = differenceOfSettings(found.settings, settings)
    const isSameSecret = secret === found.secret
    if (Object.keys(after).length === 0 && isSameSecret)
      return { body: representProvider(context.config, found), version: providerVersion(found) }
    const version = found.version + 1
    await work.tx
      .updateTable('identity_provider')
      .set({ settings: JSON.stringify(settings), secret, version })
      .where('name', '=', name)
      .execute()
    if (!settings.is_enabled) await endSessionsOfProvider(work.tx, name)
    await work.change({
      object: `identity_providers/${name}`,
      op: 'update',
      before,
      after: { ...after, ...(!isSameSecret && { client_secret: secret === null ? 'removed' : 'replaced' }) },
    })
    const changed = { name, settings, secret, version }
    return { body: representProvider(context.config, changed), version: providerVersion(changed) }
  },
})
