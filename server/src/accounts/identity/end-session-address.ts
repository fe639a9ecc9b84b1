import type { Context } from '../../platform/operation/context.ts'
import { findProvider, providerAddresses } from './identity-provider.ts'
import { findIdentitySession } from './identity-sessions.ts'
import { loadProviderMetadata } from './provider-metadata.ts'

/** Where the browser ends its session at the provider; undefined: there is none. A provider that is down never keeps people signed in here. */
export async function findEndSessionAddress(context: Context, session_id: string): Promise<string | undefined> {
  const session = await findIdentitySession(context, session_id)
  const provider = session && (await findProvider(context.db, session.provider))
  if (!session || !provider) return undefined
  const metadata = await loadProviderMetadata(context, provider).catch(() => undefined)
  const address = URL.parse(metadata?.end_session_endpoint ?? '')
  if (!address || (address.protocol !== 'https:' && !provider.settings.issuer.startsWith('http:'))) return undefined
  if (session.idToken !== undefined) address.searchParams.set('id_token_hint', session.idToken)
  address.searchParams.set('client_id', provider.settings.client_id)
  const { post_logout_redirect_uri } = providerAddresses(context.config, provider.name)
  address.searchParams.set('post_logout_redirect_uri', post_logout_redirect_uri)
  return address.href
}
