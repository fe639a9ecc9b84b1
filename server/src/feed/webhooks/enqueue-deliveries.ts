import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Cursor } from '../../platform/database/events.ts'
import { formatFeedCursor } from '../feed-cursor.ts'
import { type Delivery, type DeliveryId, type DeliveryKind, deliveryColumns, type WholeDelivery } from './delivery.ts'
import type { WebhookId } from './webhook.ts'

/** An event to deliver. */
export interface DeliverableEvent extends Cursor {
  readonly id: number
  readonly xid: string
  readonly type: string
  readonly object: string | null
}

/** Enqueues deliveries of these events in order. Idempotent: an event that is planned already is skipped. */
export async function enqueueDeliveries(
  tx: Tx,
  webhook: WebhookId,
  kind: DeliveryKind,
  { events, epoch, now }: { events: readonly DeliverableEvent[]; epoch: string; now: Date },
): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into webhook_delivery (webhook_id, kind, event, event_id, xid, number, object, "on", due_on)
    select ${webhook}, ${kind}, candidate.event, candidate.event_id, candidate.xid::xid8, candidate.number, candidate.object, ${now}, ${now}
    from unnest(${events.map(({ type }) => type)}::text[],
      ${events.map((event) => formatFeedCursor({ ...event, epoch }))}::text[], ${events.map(({ xid }) => xid)}::text[],
      ${events.map(({ id }) => id)}::bigint[], ${events.map(({ object }) => object)}::text[])
      with ordinality as candidate (event, event_id, xid, number, object, place)
    order by candidate.place
    on conflict (webhook_id, xid, number) where kind = 'planned' do nothing`.execute(tx)
}

/** Enqueues a test delivery, which has no event in the feed. */
export async function enqueuePing(tx: Tx, webhook: WebhookId, now: Date): Promise<Delivery> {
  const { rows } = await sql<Delivery>`
    insert into webhook_delivery (webhook_id, kind, event, event_id, "on", due_on)
    values (${webhook}, 'ping', 'ping', 'ping.' || gen_random_uuid(), ${now}, ${now})
    returning ${deliveryColumns}`.execute(tx)
  return requireSingle(rows)
}

/** Enqueues the same event again, with its old id. */
export async function enqueueRedelivery(tx: Tx, { id }: Pick<Delivery, 'id'>, now: Date): Promise<Delivery> {
  const { rows } = await sql<Delivery>`
    insert into webhook_delivery (webhook_id, kind, event, event_id, xid, number, object, "on", due_on)
    select old.webhook_id, case old.kind when 'ping' then 'ping' else 'redelivered' end, old.event, old.event_id,
      old.xid, old.number, old.object, ${now}, ${now}
    from webhook_delivery old where old.id = ${id}
    returning ${deliveryColumns}`.execute(tx)
  return requireSingle(rows)
}

export async function findDelivery(
  db: Db | Tx,
  webhook: WebhookId,
  id: DeliveryId,
): Promise<WholeDelivery | undefined> {
  const { rows } = await sql<WholeDelivery>`
    select ${deliveryColumns}, webhook_delivery.request_headers, webhook_delivery.request_body,
      webhook_delivery.answer_headers, webhook_delivery.answer_body, webhook_delivery.xid::text as xid,
      webhook_delivery.number
    from webhook_delivery where webhook_delivery.webhook_id = ${webhook} and webhook_delivery.id = ${id}`.execute(db)
  return rows[0]
}

function requireSingle(rows: readonly Delivery[]): Delivery {
  const [row] = rows
  if (!row) throw new TypeError('It was just written.')
  return row
}
