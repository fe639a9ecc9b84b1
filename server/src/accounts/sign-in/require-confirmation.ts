import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'

export const CONFIRMATION_TTL_MS = 15 * 60_000

/** A leaked key or token, or an unattended browser, must not be enough to take over the account. */
export function requireConfirmation(context: Context, viewer: Viewer): void {
  if (!isConfirmed(context, viewer)) throw new ApiError('confirmation_required')
}

function isConfirmed({ clock }: Context, { credential, confirmed_on, key }: Viewer): boolean {
  if (credential?.kind === 'basic') return true
  if (credential?.kind === 'access_key') return key?.scopes.includes('write:account') === true
  if (credential?.kind !== 'session' || !confirmed_on) return false
  return clock.now().getTime() - confirmed_on.getTime() <= CONFIRMATION_TTL_MS
}
