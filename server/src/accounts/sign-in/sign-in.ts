import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { ANONYMOUS } from '../../platform/http/exchange.ts'
import { readSettingsVersion } from '../../platform/operation/settings.ts'
import type { Credentials, SignIn } from '../../platform/http/sign-in.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { isOwnVisit, requireNotCrossSite } from './same-origin.ts'
import { signInByAccessKey } from './sign-in-by-access-key.ts'
import { signInByPassword } from './sign-in-by-password.ts'
import { cookieOf, signInBySession } from './sign-in-by-session.ts'
import { signInByToken, TOKENS_DISCOURAGED } from './sign-in-by-token.ts'

const REALM = 'realm="Waypost API"'

/** How a request says who it is: an explicit header wins, wholly; a wrong one never falls back to anything. */
export function createSignIn(context: Context): SignIn {
  return {
    // A browser that shows its own login box on every refused call would be of no use to a page.
    challenge: (headers) =>
      ['AccessKey', 'Token', 'Bearer', ...(headers['sec-fetch-mode'] === 'cors' ? [] : ['Basic'])]
        .map((scheme) => `${scheme} ${REALM}`)
        .join(', '),
    discouragedSince: (headers) => (usesToken(headers) ? TOKENS_DISCOURAGED : undefined),
    ignoresCookie: (headers) => cookieOf(headers, context.config) !== undefined && !isOwnVisit(headers, context.config),
    requireOwnPage: (headers) => requireNotCrossSite(headers, context.config),
    authenticate: (credentials) => authenticate(context, credentials),
  }
}

async function authenticate(context: Context, credentials: Credentials): Promise<Viewer> {
  const { headers } = credentials
  const accessKey = one(headers, 'x-auth-accesskey')
  if (accessKey !== undefined) return signInByAccessKey(context, credentials, accessKey)

  const [scheme, secret] = authorizationOf(headers)
  if (scheme === 'bearer') return signInByAccessKey(context, credentials, secret)

  const token = one(headers, 'x-auth-token')
  const user = one(headers, 'x-auth-userid')
  if (token !== undefined || user !== undefined) return signInByToken(context, token, user)

  if (scheme === 'basic') return signInByPassword(context, credentials, secret)
  if (scheme !== undefined) throw new ApiError('credentials_malformed')

  const cookie = cookieOf(headers, context.config)
  if (cookie !== undefined && (!credentials.visits || isOwnVisit(headers, context.config)))
    return signInBySession(context, credentials, cookie)

  await context.settings.seen(await readSettingsVersion(context.db))
  return ANONYMOUS
}

/** Whether the token pair is the credential that counts. */
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
