import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { changeTracker } from '../../trackers/change-tracker.ts'
import { findWebhooksOf, type WebhookHome } from './find-webhook.ts'
import { MAX_WEBHOOKS, type Webhook, webhookColumns } from './webhook.ts'

/** The settings of a hook that people choose. */
export type WebhookChoices = Pick<Webhook, 'url' | 'events' | 'format' | 'payload' | 'as_user' | 'ordered' | 'active'>

interface NewWebhookRow {
  readonly choices: WebhookChoices
  readonly secret: Buffer
  readonly created_by: AccountId | null
  readonly now: Date
}

export async function assertWebhookLimit(tx: Tx, home: WebhookHome): Promise<void> {
  const there = await findWebhooksOf(tx, home)
  if (there.length >= MAX_WEBHOOKS) throw tooManyWebhooks()
}

export function tooManyWebhooks(): ApiError {
  return new ApiError('rule_violated', { cause: 'too_many', allowed: { maximum: MAX_WEBHOOKS } })
}

/** Starts with new events only: after the last position, and without committed events that have none yet. */
export async function insertWebhook(
  tx: Tx,
  { project_id, tracker }: WebhookHome,
  { choices, secret, created_by, now }: NewWebhookRow,
): Promise<Webhook> {
  const { url, events, format, payload, as_user, ordered, active } = choices
  const { rows } = await sql<Webhook>`
    insert into webhook (project_id, tracker_id, url, events, format, payload, as_user, ordered, active, state, secret,
      place_xid, place_id, created_by, owner_id, created_on)
    values (${project_id}, ${tracker?.id ?? null}, ${url}, ${events}, ${format}, ${payload}, ${as_user}, ${ordered},
      ${active}, ${active ? 'ok' : 'off'}, ${secret}, pg_snapshot_xmin(pg_current_snapshot()), 0, ${created_by}, ${created_by},
      ${now})
    returning ${webhookColumns}`.execute(tx)
  const [made] = rows
  if (!made) throw new TypeError('It was just written.')
  return made
}

/** Setting `active` to true resets the failures, even if the hook is on already. */
export async function updateWebhook(
  tx: Tx,
  { id }: Pick<Webhook, 'id'>,
  choices: Partial<WebhookChoices & Pick<Webhook, 'owner_id'>>,
): Promise<Webhook> {
  const { active, ...others } = choices
  const health = active && { failures: 0, failing_since: null, held_until: null }
  await tx
    .updateTable('webhook')
    .set((row) => ({
      ...others,
      ...(active !== undefined && {
        active,
        state: active ? ('ok' as const) : ('off' as const),
        state_reason: null,
        ...health,
      }),
      version: row('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  const { rows } = await sql<Webhook>`select ${webhookColumns} from webhook where webhook.id = ${id}`.execute(tx)
  const [changed] = rows
  if (!changed) throw new TypeError('It was just written.')
  return changed
}

/** After a restore, the numbers of transactions in old cursors may be those of another PostgreSQL. */
export async function resetTransactionPlaces(db: Db): Promise<void> {
  await sql`update webhook set place_xid = '0', place_id = 0`.execute(db)
}

export async function removeWebhook(tx: Tx, { id }: Pick<Webhook, 'id'>): Promise<void> {
  await tx.deleteFrom('webhook').where('id', '=', id).execute()
}

/** Updates the list of hooks in the definition of the tracker. */
export async function updateTrackerDefinition(work: WriteContext, home: WebhookHome, now: Date): Promise<void> {
  if (!home.tracker) return
  const hooks = await findWebhooksOf(work.tx, home)
  const webhooks = hooks.map(({ url, events, format }) => ({ url, events: [...events], format }))
  await changeTracker(work, home.tracker, { webhooks }, { now })
}
