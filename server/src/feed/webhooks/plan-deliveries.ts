import { type RawBuilder, sql } from 'kysely'
import { aliases } from '../../platform/database/aliases.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { hasEventAfter } from '../../platform/database/events.ts'
import { feedEnd } from '../../platform/database/feed-end.ts'
import { sequenceEvents } from '../../platform/database/sequence-events.ts'
import type { Poller } from '../../platform/jobs/poller.ts'
import type { Context } from '../../platform/operation/context.ts'
import { joinProject } from '../../projects/project-sql.ts'
import { isNotDeleted } from '../../projects/visibility.ts'
import { scanEvents } from '../scan-events.ts'
import { enqueueDeliveries } from './enqueue-deliveries.ts'
import { stopWebhook } from './stop-webhook.ts'
import { type Webhook, webhookColumns, type WebhookId } from './webhook.ts'
import { findWebhookReader } from './webhook-viewer.ts'

const HOOK_BATCH_SIZE = 20
const EVENT_BATCH_SIZE = 500
/** Limits the queue of a hook: further events wait in the feed, which is stored anyway. */
const MAX_QUEUE_LENGTH = 1000
/** Idle hooks advance only if they skip enough events to be worth a write. */
const MIN_EVENTS_TO_SKIP = 200

/** Turns events of the feed into deliveries: each event once per subscribed hook. */
export const planDeliveries: Poller = {
  name: 'plan_deliveries',
  async turn(context) {
    await sequenceEvents(context.db)
    const hooks = await findHooksWithNews(context)
    let planned = 0
    for (const id of hooks) planned += await inTransaction(context.db, (tx) => planForWebhook(context, tx, id))
    if (hooks.length === 0) await moveIdleHooks(context)
    return planned > 0
  },
}

const hasRoom = sql<boolean>`((select count(*) from webhook_delivery where webhook_delivery.webhook_id = webhook.id
  and webhook_delivery.state in ('waiting', 'retrying')) < ${MAX_QUEUE_LENGTH})`

/**
 * Whether events after the cursor may match. A cheap prefilter: the exact check runs when they are read. An event before
 * the old form of the cursor was planned by a server of the previous version.
 */
const hasNews = hasEventAfter(
  sql`webhook.place_position`,
  sql`(event.xid, event.id) > (webhook.place_xid, webhook.place_id) and event.type = any(webhook.events)
    and webhook.project_id in (event.project_id, (event.payload #>> '{from,project_id}')::bigint)`,
)

/** Hooks of a deleted project keep their cursor, so that they continue after a restoration. */
async function findHooksWithNews({ db }: Context): Promise<WebhookId[]> {
  const { rows } = await sql<{ id: WebhookId }>`
    select webhook.id from webhook ${joinProject(sql`webhook.project_id`)}
    where webhook.active and ${isNotDeleted(aliases('project'))} and ${hasNews} and ${hasRoom}
    order by webhook.place_position limit ${HOOK_BATCH_SIZE}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Stores deliveries and the new cursor in one transaction. Returns the number of events that it has passed. */
async function planForWebhook(context: Context, tx: Tx, id: WebhookId): Promise<number> {
  const { rows } = await sql<Webhook>`
    select ${webhookColumns} from webhook where webhook.id = ${id} and webhook.active for update skip locked`.execute(
    tx,
  )
  const [webhook] = rows
  if (!webhook) return 0
  const from = { position: webhook.place_position }
  const reader = await findWebhookReader(context, tx, webhook)
  if (reader === 'owner_lost_rights') {
    // The cursor stays: a new owner can continue from there.
    await stopWebhook(context, tx, webhook, reader)
    return 1
  }
  if (!reader) {
    await sql`update webhook set ${atHorizon} from ${feedEnd} where webhook.id = ${id}`.execute(tx)
    return 1
  }
  const { feed, seen, next } = await scanEvents(tx, reader, from, EVENT_BATCH_SIZE)
  const old = { xid: BigInt(webhook.place_xid), id: webhook.place_id }
  const events = seen.filter(
    ({ xid, id: event }) => BigInt(xid) > old.xid || (BigInt(xid) === old.xid && event > old.id),
  )
  await enqueueDeliveries(tx, id, 'planned', { events, epoch: feed.epoch, now: context.clock.now() })
  const { position } = next
  await sql`
    update webhook set place_position = ${position}::bigint,
      place_xid = case when ${isSettledAt(position)} then feed_end.xid else webhook.place_xid end,
      place_id = case when ${isSettledAt(position)} then 0 else webhook.place_id end
    from ${feedEnd} where webhook.id = ${id}`.execute(tx)
  return 1
}

/** A reader at the end of the feed has read everything before the snapshot of the sequencer, in the old order too. */
function isSettledAt(position: number): RawBuilder<boolean> {
  return sql`(feed_end.position = ${position}::bigint and feed_end.xid > webhook.place_xid)`
}

/** Moves both forms of the cursor to the end of the feed. */
const atHorizon = sql`place_position = feed_end.position, place_xid = greatest(webhook.place_xid, feed_end.xid),
  place_id = case when feed_end.xid > webhook.place_xid then 0 else webhook.place_id end`

/** Advances hooks without matching events, so that they do not scan the same events again. */
async function moveIdleHooks({ db }: Context): Promise<void> {
  await sql`
    update webhook set ${atHorizon}
    from ${feedEnd}
    where webhook.id in (
      select webhook.id from webhook, ${feedEnd}
      where webhook.active and feed_end.position - webhook.place_position > ${MIN_EVENTS_TO_SKIP}
        and not ${hasNews}
      order by webhook.id limit ${HOOK_BATCH_SIZE} for update of webhook skip locked
    )`.execute(db)
}
