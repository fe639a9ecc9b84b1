import { Type } from 'typebox'
import { ApiError } from '../../platform/messages/errors.ts'
import { readRoute } from '../../platform/http/route.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { diagnoseProvider } from './diagnose-provider.ts'
import { findProvider, providerParam } from './identity-provider.ts'

export const testIdentityProvider = readRoute({
  method: 'POST',
  path: '/identity_providers/:name/test',
  operationId: 'testIdentityProvider',
  summary: 'Look whether a provider can sign people in.',
  description:
    'Calls the provider and reports what works and what does not: its description, keys and clock, the client and its secret, the registered address. Site administrators only. It changes nothing; others get 403.',
  access: 'signed_in',
  params: { name: providerParam },
  answer: Type.Object(
    {
      findings: Type.Array(
        Type.Object({
          check: Type.String(),
          state: Type.Enum(['ok', 'warning', 'wrong']),
          detail: Type.String({ description: 'In English.' }),
        }),
      ),
    },
    { title: 'IdentityProviderTest' },
  ),
  async handle({ context, viewer, params: { name } }) {
    requireSiteAdmin(viewer)
    const provider = await findProvider(context.db, name)
    if (!provider) throw new ApiError('not_found')
    return { body: { findings: await diagnoseProvider(context, provider) } }
  },
})
