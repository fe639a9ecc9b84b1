import { sql } from 'kysely'
import { recordAudit } from '../../platform/database/audit.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { enqueuePauseMails } from './pause-mail.ts'
import type { StateReason, Webhook } from './webhook.ts'

type StoppedHook = Pick<Webhook, 'id' | 'project_id' | 'tracker_id' | 'url'>

/** Switches a hook off for this reason, once. Administrators get a mail if it is paused. */
export async function stopWebhook(context: Context, tx: Tx, hook: StoppedHook, reason: StateReason): Promise<void> {
  const { id, project_id } = hook
  const state = reason === 'receiver_gone' ? 'off' : 'paused'
  const { rows } = await sql`
    update webhook set active = false, state = ${state}, state_reason = ${reason}, version = version + 1
    where id = ${id} and state_reason is distinct from ${reason} returning id`.execute(tx)
  if (rows.length === 0) return
  const action = state === 'off' ? 'webhook.off' : 'webhook.paused'
  const after = { active: false, state, state_reason: reason }
  await recordAudit(tx, BY_ITSELF, { action, object: `webhooks/${id}`, project_id, after })
  if (reason !== 'receiver_gone') await enqueuePauseMails(context, tx, hook, reason)
}

const JOB: Viewer = { language: null, time_zone: null, credential: { kind: 'job', id: null } }
const BY_ITSELF = { viewer: JOB, request_id: null, address: null }
