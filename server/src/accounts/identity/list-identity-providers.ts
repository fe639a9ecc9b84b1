import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { loadProviders, representProvider } from './identity-provider.ts'
import { ProviderAnswer } from './provider-settings.ts'

export const listIdentityProviders = readRoute({
  method: 'GET',
  path: '/identity_providers',
  operationId: 'listIdentityProviders',
  summary: 'List the providers by which people sign in.',
  description:
    'Lists all providers of OpenID Connect with their settings, without secrets. Site administrators only. Others get 403.',
  access: 'signed_in',
  pages: 'whole',
  answer: Type.Array(ProviderAnswer),
  async handle({ context: { db, config }, viewer }) {
    requireSiteAdmin(viewer)
    const providers = await loadProviders(db)
    return { body: providers.map((each) => representProvider(config, each)), size: providers.length }
  },
})
