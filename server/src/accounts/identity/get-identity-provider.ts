import { ApiError } from '../../platform/messages/errors.ts'
import { readRoute } from '../../platform/http/route.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { findProvider, providerParam, providerVersion, representProvider } from './identity-provider.ts'
import { ProviderAnswer } from './provider-settings.ts'

export const getIdentityProvider = readRoute({
  method: 'GET',
  path: '/identity_providers/:name',
  operationId: 'getIdentityProvider',
  summary: 'Show a provider by which people sign in.',
  description: 'Shows the settings of one provider, without its secret. Site administrators only. Others get 403.',
  access: 'signed_in',
  params: { name: providerParam },
  answer: ProviderAnswer,
  versioned: true,
  async handle({ context: { db, config }, viewer, params: { name } }) {
    requireSiteAdmin(viewer)
    const provider = await findProvider(db, name)
    if (!provider) throw new ApiError('not_found')
    return { body: representProvider(config, provider), version: providerVersion(provider) }
  },
})
