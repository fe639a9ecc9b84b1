import {
  authorizationCodeGrant,
  AuthorizationResponseError,
  type Configuration,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client'
import type { Context } from '../../platform/operation/context.ts'
import { type IdentityClaims, readClaims } from './identity-claims.ts'
import { type IdentityProvider, providerAddresses } from './identity-provider.ts'
import { SignInRefused } from './identity-refusal.ts'
import { createProviderClient, verifyProviderToken } from './provider-metadata.ts'
import { ProviderUnreachable } from './provider-requests.ts'
import type { SignInState } from './sign-in-state.ts'

/** A person whom the provider has signed in for us. */
export interface ProvenIdentity {
  readonly claims: IdentityClaims
  readonly sid: string | undefined
  readonly idToken: string
  readonly issuedAt: Date
  /** When the person last proved who they are at the provider; undefined: it does not say. */
  readonly authenticatedOn: Date | undefined
}

/** Members of the answer that count; anything else in the address is ignored. */
const ANSWER_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description']

/** Takes the answer of the provider: exchanges the code, checks the tokens, and reads the claims. Uses no database. */
export async function exchangeCode(
  context: Context,
  provider: IdentityProvider,
  { state, nonce, verifier, confirms }: SignInState,
  answer: ReadonlyMap<string, string>,
): Promise<ProvenIdentity> {
  try {
    const client = await createProviderClient(context, provider)
    const tokens = await authorizationCodeGrant(client, callbackUrl(context, provider, answer), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(confirms && { maxAge: 0 }),
    })
    const { id_token: idToken = '', access_token } = tokens
    // The library trusts the connection; here the signature counts as well.
    const signed = await verifyProviderToken(context, provider, idToken, { mayRefresh: () => true })
    const { sub: subject = '', iat = 0 } = signed
    requireNotFromFuture(context, provider, iat)
    const [authTime, sid] = [readTime(signed['auth_time']), signed['sid']]
    const claims = readClaims(await completeClaims(client, provider, signed, access_token, subject), provider.settings)
    if (!claims) throw new SignInRefused('invalid', 'The subject of the token has no usable form.')
    return {
      claims,
      sid: typeof sid === 'string' && sid.length <= 255 && !sid.includes('\0') ? sid : undefined,
      idToken,
      issuedAt: new Date(iat * 1000),
      authenticatedOn: authTime,
    }
  } catch (error) {
    throw toRefusal(error)
  }
}

/** The library compares the end of a token only. A token from the future shows that one of the clocks is wrong. */
function requireNotFromFuture({ clock }: Context, { settings }: IdentityProvider, iat: number): void {
  const ahead = iat - clock.now().getTime() / 1000
  if (ahead > settings.clock_tolerance_seconds)
    throw new SignInRefused(
      'invalid',
      `The token was signed ${Math.round(ahead)} seconds after now: compare the clocks.`,
    )
}

function readTime(seconds: unknown): Date | undefined {
  return typeof seconds === 'number' && Number.isSafeInteger(seconds) ? new Date(seconds * 1000) : undefined
}

function callbackUrl({ config }: Context, { name }: IdentityProvider, answer: ReadonlyMap<string, string>): URL {
  const url = new URL(providerAddresses(config, name).redirect_uri)
  for (const parameter of ANSWER_PARAMETERS) {
    const value = answer.get(parameter)
    if (value !== undefined) url.searchParams.set(parameter, value)
  }
  return url
}

/** Some providers keep address and groups out of the token. Members of the signed token count more. */
async function completeClaims(
  client: Configuration,
  { settings: { groups_claim } }: IdentityProvider,
  signed: Readonly<Record<string, unknown>>,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  const isComplete = signed['email'] !== undefined && (groups_claim === null || signed[groups_claim] !== undefined)
  if (isComplete || client.serverMetadata().userinfo_endpoint === undefined) return signed
  return { ...(await fetchUserInfo(client, accessToken, subject)), ...signed }
}

function toRefusal(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error
  const unreachable = findCause(error, ProviderUnreachable)
  if (unreachable) return new SignInRefused('provider_unavailable', unreachable.message)
  const answer = findCause(error, Response)
  if (answer && answer.status >= 500)
    return new SignInRefused('provider_unavailable', `The provider answers ${answer.status}.`)
  if (error instanceof AuthorizationResponseError)
    return new SignInRefused(
      error.error === 'access_denied' ? 'denied' : 'invalid',
      `The provider answers ${error.error}.`,
    )
  if (error instanceof ResponseBodyError)
    return new SignInRefused('invalid', `The provider refuses the code: ${error.error}.`)
  // Messages of the library name the check, never the token.
  return new SignInRefused('invalid', error instanceof Error ? error.message : undefined)
}

/** The first of this kind among an error and its causes. */
export function findCause<T>(error: unknown, kind: abstract new (...given: never[]) => T): T | undefined {
  if (error instanceof kind) return error
  return error instanceof Error && error.cause !== undefined ? findCause(error.cause, kind) : undefined
}
