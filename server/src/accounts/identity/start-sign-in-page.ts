import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Context } from '../../platform/operation/context.ts'
import { clientKey, type RatePolicy } from '../../platform/http/rate-limit.ts'
import type { WebPage } from '../../platform/http/web-page.ts'
import { findProvider, type IdentityProvider, providerAddresses } from './identity-provider.ts'
import type { IdentityRefusal } from './identity-refusal.ts'
import { createProviderClient } from './provider-metadata.ts'
import { ownPath, signInStateCookie } from './sign-in-state.ts'

const SIGN_IN_STARTS: RatePolicy = { name: 'identity-sign-ins', quota: 120, windowSeconds: 600 }

/**
 * Leads the browser to the provider. A page of another site may open it: the sign-in that follows is the visitor's own,
 * because the answer counts in this browser only.
 */
export const startSignInPage: WebPage = {
  path: '/sign-in/oidc/:provider',
  staysOpen: true,
  ignoresCredentials: true,
  async open({ context, params, query, origin }) {
    context.rateLimits.consume(SIGN_IN_STARTS, clientKey({}, origin.address))
    const name = params['provider'] ?? ''
    const provider = await findProvider(context.db, name)
    if (!provider?.settings.is_enabled) return { seeOther: refusedAddress('provider_unknown', name) }
    try {
      return await leadToProvider(
        context,
        provider,
        ownPath(context, query.get('return_to')),
        query.get('confirm') === '1',
      )
    } catch (error) {
      context.log.warn({ err: error, provider: name }, 'a provider of identity cannot be used')
      return { seeOther: refusedAddress('provider_unavailable', name) }
    }
  },
}

/** The sign-in page with the reason; neither of the two is text from outside. */
export function refusedAddress(code: IdentityRefusal, provider: string): string {
  const given = new URLSearchParams({ refused: code, ...(/^[a-z][a-z0-9-]{0,39}$/.test(provider) && { provider }) })
  return `/sign-in?${given.toString()}`
}

async function leadToProvider(context: Context, provider: IdentityProvider, return_to: string, confirms: boolean) {
  const client = await createProviderClient(context, provider)
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
  const address = buildAuthorizationUrl(client, {
    redirect_uri: providerAddresses(context.config, provider.name).redirect_uri,
    scope: provider.settings.scopes.join(' '),
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(confirms && { prompt: 'login', max_age: '0' }),
  })
  requireBrowserAddress(address, provider.settings.issuer)
  const cookie = signInStateCookie(context, { provider: provider.name, state, nonce, verifier, return_to, confirms })
  return { seeOther: address.href, headers: { 'set-cookie': cookie } }
}

/** The metadata names the address, so that it could be of any kind. */
function requireBrowserAddress({ protocol }: URL, issuer: string): void {
  if (protocol !== 'https:' && !(protocol === 'http:' && issuer.startsWith('http:')))
    throw new Error('The provider names an address for the sign-in without https.')
}
