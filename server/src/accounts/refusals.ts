import { ApiError } from '../platform/words/errors.ts'
import type { WhoMay } from '../platform/words/reasons.ts'
import type { AccountId, Viewer } from '../platform/http/viewer.ts'

/** Absent and hidden look alike to everybody, so one function answers for both. */
export function hiddenFrom(viewer: Viewer): ApiError {
  return new ApiError(viewer.account_id === undefined ? 'authentication_required' : 'not_found')
}

/** For what the viewer may see, but not do. */
export function refusedTo(viewer: Viewer, ...who_may: WhoMay[]): ApiError {
  return viewer.account_id === undefined
    ? new ApiError('authentication_required')
    : new ApiError('permission_denied', { who_may })
}

/** Returns the account that asks. */
export function requireAccount(viewer: Viewer): AccountId {
  if (viewer.account_id === undefined) throw new ApiError('authentication_required')
  return viewer.account_id
}

/** Returns the administrator's account; undefined: it is the shell of the server itself. */
export function requireSiteAdmin(viewer: Viewer): AccountId | undefined {
  if (!viewer.is_site_admin) throw refusedTo(viewer, 'site_admin')
  return viewer.account_id
}
