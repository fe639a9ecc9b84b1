import { ApiError } from '../platform/messages/errors.ts'
import type { WhoMay } from '../platform/messages/reasons.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'

export const REALM = 'realm="Waypost API"'

/** The same error for absent and hidden objects, so that the response does not reveal which it is. */
export function hiddenError(viewer: Viewer): ApiError {
  return new ApiError(viewer.account_id === undefined ? 'authentication_required' : 'not_found')
}

/** For objects that the viewer may see but not change. */
export function permissionError(viewer: Viewer, ...who_may: WhoMay[]): ApiError {
  return viewer.account_id === undefined
    ? new ApiError('authentication_required')
    : new ApiError('permission_denied', { who_may })
}

/** A verified key without the scope for the call, as RFC 6750 describes it: 403 with the scope that suffices. */
export function scopeError(scope: string, allowed: readonly string[]): ApiError {
  const challenges = ['AccessKey', 'Bearer'].map(
    (scheme) => `${scheme} ${REALM}, error="insufficient_scope", scope="${scope}"`,
  )
  return new ApiError('credentials_scope', { scope, allowed }).with({ 'www-authenticate': challenges.join(', ') })
}

/** Returns the account of the caller. */
export function requireAccount(viewer: Viewer): AccountId {
  if (viewer.account_id === undefined) throw new ApiError('authentication_required')
  return viewer.account_id
}

/** Returns the administrator's account; undefined for the server's own shell. */
export function requireSiteAdmin(viewer: Viewer): AccountId | undefined {
  if (!viewer.is_site_admin) throw permissionError(viewer, 'site_admin')
  return viewer.account_id
}
