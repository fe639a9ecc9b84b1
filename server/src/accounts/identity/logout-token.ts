import type { JWTPayload } from 'jose'
import { ApiError } from '../../platform/messages/errors.ts'
import type { RatePolicy } from '../../platform/http/rate-limit.ts'
import type { Context } from '../../platform/operation/context.ts'
import { isRecord } from '../../platform/wire/schema-shape.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { verifyProviderToken } from './provider-metadata.ts'

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Of one provider, that strangers can cause. */
const KEY_REFRESHES: RatePolicy = { name: 'identity-keys', quota: 10, windowSeconds: 60 }
const MAX_AGE_SECONDS = 600

interface LogoutToken {
  readonly subject: string | undefined
  readonly sid: string | undefined
  readonly id: string
  readonly expiresOn: Date
}

/** Checks a logout token as its specification says. An ID token is none: it has no event, and has a nonce. */
export async function readLogoutToken(
  context: Context,
  provider: IdentityProvider,
  token: string,
): Promise<LogoutToken> {
  let claims: JWTPayload
  try {
    claims = await verifyProviderToken(context, provider, token, {
      mayRefresh: () => mayRefreshKeys(context, provider),
      maxTokenAge: MAX_AGE_SECONDS,
    })
  } catch (error) {
    context.log.info({ provider: provider.name, details: String(error) }, 'a logout notice is refused')
    throw invalidLogoutToken()
  }
  const { sub, sid, jti, iat = 0, events, nonce } = claims
  const isLogout = isRecord(events) && isRecord(events[LOGOUT_EVENT]) && nonce === undefined
  const [subject, session] = [textOrUndefined(sub), textOrUndefined(sid)]
  if (!isLogout || jti === undefined || (subject === undefined && session === undefined)) throw invalidLogoutToken()
  // Kept for longer than any clock tolerance lets it count.
  return { subject, sid: session, id: jti, expiresOn: new Date((iat + 2 * MAX_AGE_SECONDS) * 1000) }
}

function mayRefreshKeys({ rateLimits }: Context, { name }: IdentityProvider): boolean {
  try {
    rateLimits.consume(KEY_REFRESHES, name)
    return true
  } catch {
    return false
  }
}

export function invalidLogoutToken(): ApiError {
  return new ApiError('parameter_invalid', { path: 'logout_token', rule: 'format' })
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 255 && !value.includes('\0') ? value : undefined
}
