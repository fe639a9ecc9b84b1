import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { isId } from '../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { parseEventTypes } from '../event-types.ts'
import type { WebhookHome } from './find-webhook.ts'
import { assertMayUseViewer } from './webhook-viewer.ts'

/** Expands prefixes; types are unique and in the order of the list. */
export function parseWebhookEvents(given: readonly string[], path = 'events'): string[] {
  return [
    ...new Set(
      given.flatMap((name, at) => {
        if (!name.includes(',')) return [...parseEventTypes(name, `${path}[${at}]`)]
        throw new ApiError('parameter_not_allowed', { path: `${path}[${at}]`, rule: 'one_of' })
      }),
    ),
  ]
}

/** The account whose permissions cut the payload. Null is for hooks of trackers only. */
export async function parseAsUser(
  context: Context,
  viewer: Viewer,
  home: Pick<WebhookHome, 'tracker'>,
  given: number | null,
): Promise<AccountId | null> {
  if (given === null) {
    if (home.tracker) return null
    throw new ApiError('parameter_required', { path: 'as_user', rule: 'required' })
  }
  assertMayUseViewer(given, viewer)
  if (isId<AccountId>(given) && (await findUsableViewer(context, given))) return given
  throw new ApiError('reference_unknown', { path: 'as_user', rule: 'exists' })
}
