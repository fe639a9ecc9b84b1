import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Id } from '../../platform/database/ids.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import type { WebhookId } from './webhook.ts'

export type DeliveryId = Id<'webhook_delivery'>
export type DeliveryState = 'waiting' | 'delivered' | 'retrying' | 'failed' | 'parked'
/** Planned from the feed, or requested by a person. */
export type DeliveryKind = 'planned' | 'redelivered' | 'replayed' | 'ping'

export interface Delivery {
  readonly id: DeliveryId
  readonly webhook_id: WebhookId
  readonly event_id: string
  readonly event: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly status: number | null
  readonly duration_ms: number | null
  readonly error: string | null
  readonly on: Date
}

export interface WholeDelivery extends Delivery {
  readonly request_headers: Record<string, string> | null
  readonly request_body: string | null
  readonly answer_headers: Record<string, unknown> | null
  readonly answer_body: string | null
  /** Cursor of the event in the feed; null for a ping. */
  readonly xid: string | null
  readonly number: number | null
}

/** A delivery as a reader of the log may see it. */
export type ShownDelivery = WholeDelivery & { readonly is_withheld: boolean; readonly is_cut: boolean }

export const deliveryColumns: RawBuilder<unknown> = sql`webhook_delivery.id, webhook_delivery.webhook_id,
  webhook_delivery.event_id, webhook_delivery.event, webhook_delivery.state, webhook_delivery.attempts,
  webhook_delivery.status, webhook_delivery.duration_ms, webhook_delivery.error, webhook_delivery."on"`

export const DeliveryStateSchema = Type.Enum(['waiting', 'delivered', 'retrying', 'failed', 'parked'])

const members = {
  id: Type.Integer(),
  uri: Type.String(),
  event_id: Type.String({ description: 'The feed cursor of the event, the same on every attempt.' }),
  event: Type.String(),
  state: DeliveryStateSchema,
  attempts: Type.Integer(),
  status: nullable(Type.Integer({ description: 'Status of the last response.' })),
  duration_ms: nullable(Type.Integer()),
  error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
  on: Type.String(),
}
const Headers = nullable(Type.Record(Type.String(), Type.Unknown()))

export const DeliveryRepresentation = Type.Object(members, { title: 'Delivery' })
export const WholeDeliveryRepresentation = Type.Object(
  {
    ...members,
    request: nullable(
      Type.Object(
        { headers: Headers, body: nullable(Type.String({ description: 'Kept for 7 days.' })) },
        { title: 'DeliveryRequest' },
      ),
    ),
    answer: nullable(
      Type.Object(
        {
          status: Type.Integer(),
          headers: Headers,
          body: nullable(
            Type.String({ description: 'Kept for 7 days. Null where the body of the request is cut or withheld.' }),
          ),
        },
        { title: 'DeliveryAnswer' },
      ),
    ),
    body_withheld: Type.Boolean({ description: 'The caller may read nothing of the body now: it is left out.' }),
    body_cut: Type.Boolean({ description: 'Parts of the body that the caller may not read now are left out.' }),
  },
  { title: 'WholeDelivery' },
)

export function deliveryUri(webhook: WebhookId, delivery: DeliveryId): string {
  return `webhooks/${webhook}/deliveries/${delivery}`
}

export function representDelivery(delivery: Delivery): Static<typeof DeliveryRepresentation> {
  const { id, webhook_id, event_id, event, state, attempts, status, duration_ms, error, on } = delivery
  const uri = deliveryUri(webhook_id, id)
  return { id, uri, event_id, event, state, attempts, status, duration_ms, error, on: apiDate(on) }
}

export function representWholeDelivery(delivery: ShownDelivery): Static<typeof WholeDeliveryRepresentation> {
  const { request_headers, request_body, answer_headers, answer_body, status } = delivery
  return {
    ...representDelivery(delivery),
    request: request_headers && { headers: request_headers, body: request_body },
    answer: status === null ? null : { status, headers: answer_headers, body: answer_body },
    body_withheld: delivery.is_withheld,
    body_cut: delivery.is_cut,
  }
}
