import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { ANONYMOUS_VIEWER } from '../../platform/http/request-state.ts'
import { readSettingsVersion } from '../../platform/operation/settings.ts'
import type { Credentials, SignIn } from '../../platform/http/sign-in.ts'
import type { RecalledSignIn, Viewer } from '../../platform/http/viewer.ts'
import { REALM } from '../auth-errors.ts'
import { requireProjectRoute } from '../access-keys/limited-keys.ts'
import { arePasswordsAllowed } from './passwords-allowed.ts'
import { isOwnVisit, isSameOrigin, requireNotCrossSite } from './same-origin.ts'
import { requireConfirmation } from './require-confirmation.ts'
import { confirmUnchanged, createSignInMemory, type SignInMemory } from './recalled-sign-in.ts'
import { signInByAccessKey } from './sign-in-by-access-key.ts'
import { signInByPassword } from './sign-in-by-password.ts'
import { readSessionCookie, signInBySession } from './sign-in-by-session.ts'
import { signInByToken, TOKENS_DISCOURAGED } from './sign-in-by-token.ts'

/**
 * Selects the credential of a request: an explicit header takes precedence; an invalid one never falls back to another.
 */
export function createSignIn(context: Context): SignIn {
  const memory = createSignInMemory()
  return {
    // Basic is omitted for script requests, because browsers would show their own sign-in dialog.
    challenge: (headers) =>
      challengesOf(arePasswordsAllowed(context, 'elsewhere'), headers['sec-fetch-mode'] === 'cors')
        .map((scheme) => `${scheme} ${REALM}`)
        .join(', '),
    deprecatedSince: (headers) => (usesToken(headers) ? TOKENS_DISCOURAGED : undefined),
    ignoresCookie: (headers) =>
      readSessionCookie(headers, context.config) !== undefined && !isOwnVisit(headers, context.config),
    requireNotCrossSite: (headers) => requireNotCrossSite(headers, context.config),
    requireProjectRoute,
    requireConfirmation: (viewer) => requireConfirmation(context, viewer),
    recall: (credentials) => recall(context, memory, credentials),
    authenticate: (credentials) => authenticate(context, memory, credentials),
  }
}

function challengesOf(takesPasswords: boolean, isPage: boolean): string[] {
  if (!takesPasswords) return ['AccessKey', 'Bearer']
  return ['AccessKey', 'Token', 'Bearer', ...(isPage ? [] : ['Basic'])]
}

/** Selects the credential as `authenticate` does. */
function recall(
  { clock, config }: Context,
  memory: SignInMemory,
  { headers, address }: Credentials,
): RecalledSignIn | undefined {
  const now = clock.now()
  const accessKey = one(headers, 'x-auth-accesskey')
  if (accessKey !== undefined) return memory.recall('access_key', accessKey, now, address)
  const [scheme, secret] = authorizationOf(headers)
  if (scheme === 'bearer') return memory.recall('access_key', secret, now, address)
  const { 'x-auth-token': token, 'x-auth-userid': user } = headers
  const isOther = scheme !== undefined || token !== undefined || user !== undefined
  const cookie = isOther ? undefined : readSessionCookie(headers, config)
  return cookie !== undefined && isSameOrigin(headers, config)
    ? memory.recall('session', cookie, now, address)
    : undefined
}

async function authenticate(context: Context, memory: SignInMemory, credentials: Credentials): Promise<Viewer> {
  const { headers } = credentials
  // A recalled sign-in has proven the scopes of a read only.
  const recalled = credentials.reads && !credentials.visits ? recall(context, memory, credentials) : undefined
  if (recalled && (await isUnchanged(context, recalled))) return recalled.viewer

  const accessKey = one(headers, 'x-auth-accesskey')
  if (accessKey !== undefined) return signInByAccessKey(context, memory, credentials, accessKey)

  const [scheme, secret] = authorizationOf(headers)
  if (scheme === 'bearer') return signInByAccessKey(context, memory, credentials, secret)

  const token = one(headers, 'x-auth-token')
  const user = one(headers, 'x-auth-userid')
  if (token !== undefined || user !== undefined) return signInByToken(context, token, user)

  if (scheme === 'basic') return signInByPassword(context, credentials, secret)
  if (scheme !== undefined) throw new ApiError('credentials_malformed')

  const cookie = readSessionCookie(headers, context.config)
  if (cookie !== undefined && (!credentials.visits || isOwnVisit(headers, context.config)))
    return signInBySession(context, memory, credentials, cookie)

  await context.settings.reloadIfChanged(await readSettingsVersion(context.db))
  return ANONYMOUS_VIEWER
}

/** True if nothing at all was written to the database since the sign-in was read. */
async function isUnchanged({ snapshots }: Context, recalled: RecalledSignIn): Promise<boolean> {
  if (recalled.valid.snapshot !== snapshots.latest) return false
  return confirmUnchanged(recalled, await snapshots.read())
}

/** Whether the token pair is the selected credential. */
function usesToken(headers: IncomingHttpHeaders): boolean {
  const isThere = headers['x-auth-token'] !== undefined || headers['x-auth-userid'] !== undefined
  return isThere && headers['x-auth-accesskey'] === undefined && authorizationOf(headers)[0] !== 'bearer'
}

function authorizationOf(headers: IncomingHttpHeaders): [scheme: string | undefined, secret: string] {
  const { authorization } = headers
  if (authorization === undefined) return [undefined, '']
  const [, scheme = '', secret = ''] = /^(\S*)\s*(.*)$/s.exec(authorization) ?? []
  return [scheme.toLowerCase(), secret.trim()]
}

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return value === undefined ? undefined : String(value)
}
