import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { isId } from '../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { readTypes } from '../event-types.ts'
import { type Home, requireOwnEyes } from './find-webhook.ts'

/** Each type by its own name, in the order of the list; a prefix stands for all that begin so. */
export function readEvents(given: readonly string[], path = 'events'): string[] {
  return [
    ...new Set(
      given.flatMap((name, at) => {
        if (!name.includes(',')) return [...readTypes(name, `${path}[${at}]`)]
        throw new ApiError('parameter_not_allowed', { path: `${path}[${at}]`, rule: 'one_of' })
      }),
    ),
  ]
}

/** With whose eyes a hook is to read. Only a tracker's may do without. */
export async function readEyes(
  context: Context,
  viewer: Viewer,
  home: Pick<Home, 'tracker'>,
  given: number | null,
): Promise<AccountId | null> {
  if (given === null) {
    if (home.tracker) return null
    throw new ApiError('parameter_required', { path: 'as_user', rule: 'required' })
  }
  requireOwnEyes(given, viewer)
  if (isId<AccountId>(given) && (await findUsableViewer(context, given))) return given
  throw new ApiError('reference_unknown', { path: 'as_user', rule: 'exists' })
}
