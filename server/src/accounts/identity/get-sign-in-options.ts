import { Type } from 'typebox'
import { readRoute } from '../../platform/http/route.ts'
import { arePasswordsAllowed } from '../sign-in/passwords-allowed.ts'
import { loadProviders } from './identity-provider.ts'

export const getSignInOptions = readRoute({
  method: 'GET',
  path: '/sign_in_options',
  operationId: 'getSignInOptions',
  summary: 'Show how people can sign in.',
  description:
    'Tells a sign-in page which buttons to offer, and whether to ask for a password. Everyone. It refuses nothing but invalid credentials.',
  access: 'everyone',
  staysOpen: true,
  answer: Type.Object(
    {
      password: Type.Boolean({ description: 'A password signs in to the pages.' }),
      providers: Type.Array(
        Type.Object({
          name: Type.String(),
          label: Type.String(),
          address: Type.String({ description: 'The page that leads to the provider; `return_to` names a path.' }),
        }),
      ),
    },
    { title: 'SignInOptions' },
  ),
  async handle({ context }) {
    const providers = (await loadProviders(context.db)).filter(({ settings }) => settings.is_enabled)
    return {
      body: {
        password: arePasswordsAllowed(context, 'browser'),
        providers: providers.map(({ name, settings: { label } }) => ({
          name,
          label,
          address: `/sign-in/oidc/${name}`,
        })),
      },
    }
  },
})
