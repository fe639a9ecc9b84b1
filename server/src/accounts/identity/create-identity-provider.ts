import { ApiError } from '../../platform/messages/errors.ts'
import { writeRoute } from '../../platform/http/route.ts'
import { requireSiteAdmin } from '../auth-errors.ts'
import { providerVersion, representProvider } from './identity-provider.ts'
import { requireMappedGroups } from './group-mapping.ts'
import { toStoredSecret } from './identity-secret.ts'
import { requireProviderRules } from './provider-rules.ts'
import { NewProvider, PROVIDER_DEFAULTS, ProviderAnswer } from './provider-settings.ts'

const MAX_PROVIDERS = 50

export const createIdentityProvider = writeRoute({
  method: 'POST',
  path: '/identity_providers',
  operationId: 'createIdentityProvider',
  summary: 'Add a provider by which people sign in.',
  description:
    'Adds a provider of OpenID Connect; its button is on the sign-in page at once. Site administrators only. The issuer is not contacted: test the provider afterwards. A name that exists and unsafe addresses are refused.',
  access: 'signed_in',
  action: 'identity_provider.create',
  sensitive: true,
  body: NewProvider,
  answer: ProviderAnswer,
  versioned: true,
  status: 201,
  async prepare({ context, viewer, body: { name: _name, client_secret, ...given } }) {
    requireSiteAdmin(viewer)
    const settings = { ...PROVIDER_DEFAULTS, ...given }
    requireProviderRules(settings, typeof client_secret === 'string')
    await requireMappedGroups(context, settings)
    return settings
  },
  async handle({ context, body: { name, client_secret } }, work, settings) {
    const secret = toStoredSecret(context.secrets, 'identity_provider', client_secret)
    const { rows } = await work.tx.executeQuery<{ size: number }>(
      work.tx
        .selectFrom('identity_provider')
        .select((row) => row.fn.countAll<number>().as('size'))
        .compile(),
    )
    if ((rows[0]?.size ?? 0) >= MAX_PROVIDERS)
      throw new ApiError('parameter_out_of_range', {
        path: 'name',
        rule: 'maximum',
        allowed: { maximum: MAX_PROVIDERS },
      })
    const made = await work.tx
      .insertInto('identity_provider')
      .values({ name, settings: JSON.stringify(settings), secret, created_on: context.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['name', 'secret', 'version'])
      .executeTakeFirst()
    if (!made) throw new ApiError('name_taken', { path: 'name', rule: 'unique' })
    const uri = `identity_providers/${name}`
    const after = { ...settings, has_client_secret: secret !== null }
    await work.change({ object: 'identity_providers', made: uri, op: 'create', after })
    const provider = { ...made, settings }
    return { body: representProvider(context.config, provider), location: uri, version: providerVersion(provider) }
  },
})
