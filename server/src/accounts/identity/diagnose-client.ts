import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ResponseBodyError,
  type ServerMetadata,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import type { Context } from '../../platform/operation/context.ts'
import { findCause } from './exchange-code.ts'
import { type IdentityProvider, providerAddresses } from './identity-provider.ts'
import type { ProviderFinding } from './provider-finding.ts'
import { createProviderClient } from './provider-metadata.ts'
import { createProviderFetch, ProviderUnreachable } from './provider-requests.ts'

/** A code that no provider has given. */
const NO_CODE = 'waypost-test-no-code'
const VERIFIER = 'a'.repeat(43)

/** Whether the provider knows the client, its secret and the addresses of this platform. */
export async function diagnoseClient(
  context: Context,
  provider: IdentityProvider,
  metadata: ServerMetadata,
): Promise<ProviderFinding[]> {
  return [
    await tryCredentials(context, provider),
    await tryRedirect(context, provider),
    ...describeLogout(context, provider, metadata),
  ]
}

/** With a code that does not exist: a provider that knows the client refuses the code, any other the client. */
async function tryCredentials(context: Context, provider: IdentityProvider): Promise<ProviderFinding> {
  const address = new URL(providerAddresses(context.config, provider.name).redirect_uri)
  address.searchParams.set('code', NO_CODE)
  address.searchParams.set('iss', provider.settings.issuer)
  try {
    const client = await createProviderClient(context, provider)
    await authorizationCodeGrant(client, address, { pkceCodeVerifier: VERIFIER, idTokenExpected: true })
    return { check: 'client', state: 'warning', detail: 'The provider has taken a code that it never gave.' }
  } catch (error) {
    const code = oauthErrorCode(error)
    if (code === 'invalid_grant')
      return { check: 'client', state: 'ok', detail: 'The provider knows the client and its secret.' }
    if (code === 'invalid_client' || code === 'unauthorized_client' || findCause(error, WWWAuthenticateChallengeError))
      return {
        check: 'client',
        state: 'wrong',
        detail: 'The provider refuses the client: check `client_id`, the secret, and `client_authentication`.',
      }
    const unreachable = findCause(error, ProviderUnreachable)
    const reason = unreachable?.message ?? code ?? (error instanceof Error ? error.message : String(error))
    return {
      check: 'client',
      state: unreachable ? 'wrong' : 'warning',
      detail: `The client could not be tried: ${reason}`,
    }
  }
}

/** Without a person: a provider answers to a registered address, or asks for a sign-in. */
async function tryRedirect(context: Context, provider: IdentityProvider): Promise<ProviderFinding> {
  const { redirect_uri } = providerAddresses(context.config, provider.name)
  try {
    const client = await createProviderClient(context, provider)
    const address = buildAuthorizationUrl(client, {
      redirect_uri,
      scope: provider.settings.scopes.join(' '),
      state: 'waypost-test',
      nonce: 'waypost-test',
      prompt: 'none',
      code_challenge: await calculatePKCECodeChallenge(VERIFIER),
      code_challenge_method: 'S256',
    })
    const answer = await createProviderFetch(context, provider.settings)(address.href, {
      method: 'GET',
      headers: { accept: 'text/html' },
      body: null,
      redirect: 'manual',
    })
    const location = answer.headers.get('location') ?? ''
    if (location.startsWith(redirect_uri)) return explainAnswer(new URL(location), redirect_uri)
    if (answer.status >= 400)
      return {
        check: 'redirect',
        state: 'wrong',
        detail: `The provider answers ${answer.status} to a sign-in: is ${redirect_uri} registered there?`,
      }
    return {
      check: 'redirect',
      state: 'warning',
      detail: `Whether ${redirect_uri} is registered shows at the first sign-in.`,
    }
  } catch (error) {
    return { check: 'redirect', state: 'warning', detail: error instanceof Error ? error.message : String(error) }
  }
}

const EXPECTED_ERRORS = ['login_required', 'interaction_required', 'consent_required', 'account_selection_required']

function explainAnswer({ searchParams }: URL, redirect_uri: string): ProviderFinding {
  const error = searchParams.get('error')
  if (error === null || EXPECTED_ERRORS.includes(error))
    return { check: 'redirect', state: 'ok', detail: `${redirect_uri} is registered.` }
  const description = searchParams.get('error_description')?.slice(0, 300) ?? ''
  return {
    check: 'redirect',
    state: 'wrong',
    detail: `The provider refuses the request: ${error}. ${description}`.trim(),
  }
}

function describeLogout(
  { config }: Context,
  { name }: IdentityProvider,
  { backchannel_logout_supported, end_session_endpoint }: ServerMetadata,
): ProviderFinding[] {
  const { backchannel_logout_uri, post_logout_redirect_uri } = providerAddresses(config, name)
  return [
    backchannel_logout_supported === true
      ? { check: 'logout', state: 'ok', detail: `Register ${backchannel_logout_uri} for back-channel logout.` }
      : {
          check: 'logout',
          state: 'warning',
          detail: 'The provider has no back-channel logout: sessions go on here until they expire, or you end them.',
        },
    end_session_endpoint === undefined
      ? { check: 'logout', state: 'warning', detail: 'Signing out here does not sign out at the provider.' }
      : {
          check: 'logout',
          state: 'ok',
          detail: `Register ${post_logout_redirect_uri} as the address after signing out.`,
        },
  ]
}

/** The code of an error that a provider answers in the form of OAuth. */
function oauthErrorCode(error: unknown): string | undefined {
  return findCause(error, ResponseBodyError)?.error
}
