import { permissionError } from '../../accounts/auth-errors.ts'
import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { administersProject } from '../../projects/administers-project.ts'
import { administersTracker } from '../../trackers/administers-tracker.ts'
import type { FeedReader } from '../scan-events.ts'
import type { Webhook } from './webhook.ts'

export type HookRights = Pick<Webhook, 'as_user' | 'owner_id' | 'events' | 'project_id' | 'tracker_id'>

/**
 * The reader of a webhook. `as_user: null` reads with the owner's permissions plus all fields of the hook's tracker.
 * `owner_lost_rights`: the owner may not run this hook any more. Undefined: the account `as_user` cannot sign in.
 */
export async function findWebhookReader(
  context: Context,
  db: Db | Tx,
  hook: HookRights,
): Promise<FeedReader | 'owner_lost_rights' | undefined> {
  const { as_user, owner_id, events, project_id, tracker_id } = hook
  const owner = owner_id === null ? undefined : await findUsableViewer(context, owner_id)
  if (!owner || !mayUseViewer(as_user, owner) || !(await administersHome(db, owner, hook))) return 'owner_lost_rights'
  const scope = tracker_id === null ? { project: project_id } : { tracker: tracker_id }
  if (as_user === null)
    return { viewer: owner, types: events, ...scope, ...(tracker_id !== null && { allFieldsOf: tracker_id }) }
  const viewer = as_user === owner.account_id ? owner : await findUsableViewer(context, as_user)
  return viewer && { viewer, types: events, ...scope }
}

function administersHome(db: Db | Tx, viewer: Viewer, { project_id, tracker_id }: HookRights): Promise<boolean> {
  return tracker_id === null ? administersProject(db, viewer, project_id) : administersTracker(db, viewer, tracker_id)
}

/** An account lends its own permissions only; a site administrator may choose any account. */
function mayUseViewer(as_user: number | null, viewer: Viewer): boolean {
  return as_user === null || as_user === viewer.account_id || viewer.is_site_admin === true
}

export function assertMayUseViewer(as_user: number | null, viewer: Viewer): void {
  if (!mayUseViewer(as_user, viewer)) throw permissionError(viewer, 'site_admin')
}

/** For requests that need a working hook. Setting its url, as_user or secret makes the caller its owner. */
export function ownerLostRights(): ApiError {
  return new ApiError('rule_violated', { cause: 'owner_lost_rights' })
}
