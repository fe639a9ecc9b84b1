import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { readFeedState } from '../../platform/database/events.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Work } from '../../platform/http/work.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { changeTracker } from '../../trackers/change-tracker.ts'
import { findWebhooksOf, type Home } from './find-webhook.ts'
import { MOST_WEBHOOKS, type Webhook, webhookColumns } from './webhook.ts'

/** What people decide about a hook. */
export type Choices = Pick<Webhook, 'url' | 'events' | 'format' | 'payload' | 'as_user' | 'ordered' | 'active'>

interface NewRow {
  readonly choices: Choices
  readonly secret: Buffer
  readonly created_by: AccountId | null
  readonly now: Date
}

export async function requireRoom(tx: Tx, home: Home): Promise<void> {
  const there = await findWebhooksOf(tx, home)
  if (there.length >= MOST_WEBHOOKS) throw tooMany()
}

export function tooMany(): ApiError {
  return new ApiError('rule_violated', { cause: 'too_many', allowed: { maximum: MOST_WEBHOOKS } })
}

/** It begins with what happens from now on. */
export async function insertWebhook(
  tx: Tx,
  { project_id, tracker }: Home,
  { choices, secret, created_by, now }: NewRow,
): Promise<Webhook> {
  const { horizon } = await readFeedState(tx)
  const { url, events, format, payload, as_user, ordered, active } = choices
  const { rows } = await sql<Webhook>`
    insert into webhook (project_id, tracker_id, url, events, format, payload, as_user, ordered, active, state, secret,
      place_xid, place_id, created_by, created_on)
    values (${project_id}, ${tracker?.id ?? null}, ${url}, ${events}, ${format}, ${payload}, ${as_user}, ${ordered},
      ${active}, ${active ? 'ok' : 'off'}, ${secret}, ${horizon.xid}::xid8, ${horizon.id}, ${created_by}, ${now})
    returning ${webhookColumns}`.execute(tx)
  const [made] = rows
  if (!made) throw new TypeError('It was just written.')
  return made
}

/** To switch it on, also where it is on already, forgets its failures. */
export async function updateWebhook(tx: Tx, { id }: Pick<Webhook, 'id'>, choices: Partial<Choices>): Promise<Webhook> {
  const { active, ...others } = choices
  const health = active && { failures: 0, failing_since: null, held_until: null }
  await tx
    .updateTable('webhook')
    .set((row) => ({
      ...others,
      ...(active !== undefined && { active, state: active ? ('ok' as const) : ('off' as const), ...health }),
      version: row('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
  const { rows } = await sql<Webhook>`select ${webhookColumns} from webhook where webhook.id = ${id}`.execute(tx)
  const [changed] = rows
  if (!changed) throw new TypeError('It was just written.')
  return changed
}

export async function removeWebhook(tx: Tx, { id }: Pick<Webhook, 'id'>): Promise<void> {
  await tx.deleteFrom('webhook').where('id', '=', id).execute()
}

/** The definition of a tracker lists its hooks: it says what they are now. */
export async function tellDefinition(work: Work, home: Home, now: Date): Promise<void> {
  if (!home.tracker) return
  const hooks = await findWebhooksOf(work.tx, home)
  const webhooks = hooks.map(({ url, events, format }) => ({ url, events: [...events], format }))
  await changeTracker(work, home.tracker, { webhooks }, { now })
}
