import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { toId } from '../../platform/database/ids.ts'
import type { AccountId, Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { Reader } from '../read-stretch.ts'
import type { Webhook } from './webhook.ts'

/** Sees everything, and is nobody: no account has this number. */
const PLATFORM: Viewer = { account_id: toId<AccountId>(0), is_site_admin: true, language: null, time_zone: null }

/** What a hook reads, and with whose eyes; undefined: they are closed, for he may not sign in any more. */
export async function readerOf(
  context: Context,
  { as_user, events, project_id, tracker_id }: Pick<Webhook, 'as_user' | 'events' | 'project_id' | 'tracker_id'>,
): Promise<Reader | undefined> {
  const viewer = as_user === null ? PLATFORM : await findUsableViewer(context, as_user)
  if (!viewer) return undefined
  return { viewer, types: events, ...(tracker_id === null ? { project: project_id } : { tracker: tracker_id }) }
}
