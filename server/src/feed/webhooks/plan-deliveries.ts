import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { anyEventBehind, moreEventsBehind, settledXid } from '../../platform/database/events.ts'
import type { Pump } from '../../platform/jobs/pump.ts'
import type { Context } from '../../platform/operation/context.ts'
import { readStretch } from '../read-stretch.ts'
import { readerOf } from './eyes.ts'
import { orderDeliveries } from './order-deliveries.ts'
import { type Webhook, webhookColumns, type WebhookId } from './webhook.ts'

const HOOKS_AT_ONCE = 20
const EVENTS_AT_ONCE = 500
/** More than this does not wait for one hook: the rest waits in the feed, which is there anyway. */
const LONGEST_QUEUE = 1000
/** Far enough to be worth a write. */
const FAR_BEHIND = 200

/** Turns what stands in the feed into deliveries: each event once for each hook that wants it. */
export const planDeliveries: Pump = {
  name: 'plan_deliveries',
  async turn(context) {
    const hooks = await findHooksWithNews(context)
    let planned = 0
    for (const id of hooks) planned += await inTransaction(context.db, (tx) => planFor(context, tx, id))
    if (hooks.length === 0) await moveIdleHooks(context)
    return planned > 0
  },
}

const hasRoom = sql<boolean>`((select count(*) from webhook_delivery where webhook_delivery.webhook_id = webhook.id
  and webhook_delivery.state in ('waiting', 'retrying')) < ${LONGEST_QUEUE})`

const place = { xid: sql`webhook.place_xid`, id: sql`webhook.place_id` }

/** Whether something stands behind its place that may be for it. The exact answer is that of whoever reads for it. */
const hasNews = anyEventBehind(
  place,
  sql`event.type = any(webhook.events)
    and webhook.project_id in (event.project_id, (event.payload #>> '{from,project_id}')::bigint)`,
)

async function findHooksWithNews({ db }: Context): Promise<WebhookId[]> {
  const { rows } = await sql<{ id: WebhookId }>`
    select webhook.id from webhook where webhook.active and ${hasNews} and ${hasRoom}
    order by webhook.place_xid, webhook.place_id limit ${HOOKS_AT_ONCE}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deliveries and place stand or fall together. Returns how many events it has left behind. */
async function planFor(context: Context, tx: Tx, id: WebhookId): Promise<number> {
  const { rows } = await sql<Webhook>`
    select ${webhookColumns} from webhook where webhook.id = ${id} and webhook.active for update skip locked`.execute(
    tx,
  )
  const [webhook] = rows
  if (!webhook) return 0
  const from = { xid: webhook.place_xid, id: webhook.place_id }
  const reader = await readerOf(context, webhook)
  if (!reader) {
    await sql`update webhook set place_xid = ${settledXid}, place_id = 0 where id = ${id}`.execute(tx)
    return 1
  }
  const { feed, seen, next } = await readStretch(tx, reader, from, EVENTS_AT_ONCE)
  await orderDeliveries(tx, id, 'planned', { events: seen, epoch: feed.epoch, now: context.clock.now() })
  await sql`update webhook set place_xid = ${next.xid}::xid8, place_id = ${next.id} where id = ${id}`.execute(tx)
  return 1
}

/** Nothing for them stands between their place and here: they need not look at it again. */
async function moveIdleHooks({ db }: Context): Promise<void> {
  await sql`
    update webhook set place_xid = ${settledXid}, place_id = 0
    where webhook.id in (
      select webhook.id from webhook
      where webhook.active and webhook.place_xid < ${settledXid} and not ${hasNews}
        and ${moreEventsBehind(place, FAR_BEHIND)}
      order by webhook.id limit ${HOOKS_AT_ONCE} for update skip locked
    )`.execute(db)
}
