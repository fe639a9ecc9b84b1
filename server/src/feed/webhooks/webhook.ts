import { resourcesBelow } from '../../platform/wire/resources.ts'
import { sql } from 'kysely'
import type { Id } from '../../platform/database/ids.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import type { ResourceVersion } from '../../platform/wire/etag.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { formatFeedCursor } from '../feed-cursor.ts'
import type { WebhookRepresentation } from './webhook-schemas.ts'

export type WebhookId = Id<'webhook'>
export type WebhookFormat = 'form' | 'json'
export type WebhookPayload = 'original' | 'event'
/** `failing`: there were errors since the last success. `paused` by the platform, `off` by people or the receiver. */
export type WebhookState = 'ok' | 'failing' | 'paused' | 'off'
export type StateReason = 'owner_lost_rights' | 'receiver_failing' | 'receiver_gone'

/** A hook without its secrets, which are read only where they are used. */
export interface Webhook {
  readonly id: WebhookId
  readonly project_id: ProjectId
  readonly tracker_id: TrackerId | null
  readonly url: string
  readonly events: readonly string[]
  readonly format: WebhookFormat
  readonly payload: WebhookPayload
  readonly as_user: AccountId | null
  readonly ordered: boolean
  readonly active: boolean
  readonly state: WebhookState
  readonly state_reason: StateReason | null
  readonly last_status: number | null
  readonly place_position: number
  readonly place_xid: string
  readonly place_id: number
  readonly version: number
  readonly created_by: AccountId | null
  /** The account that created it, or was the last to change its url, as_user or secret. */
  readonly owner_id: AccountId | null
  readonly created_on: Date
}

/** Servers of the previous version write no owner. */
export const webhookOwner = sql`coalesce(webhook.owner_id, webhook.created_by)`

export const webhookColumns = sql`webhook.id, webhook.project_id, webhook.tracker_id, webhook.url, webhook.events,
  webhook.format, webhook.payload, webhook.as_user, webhook.ordered, webhook.active, webhook.state, webhook.last_status,
  webhook.place_position, webhook.place_xid::text as place_xid, webhook.place_id, webhook.version, webhook.created_by, ${webhookOwner} as owner_id,
  webhook.created_on, webhook.state_reason`

export const MAX_WEBHOOKS = 20

export function webhookVersion({ id, version }: Pick<Webhook, 'id' | 'version'>): ResourceVersion {
  return { kind: 'webhook', id, version }
}

export function representWebhook(
  webhook: Webhook,
  { epoch, logins }: { epoch: string; logins: ReadonlyMap<number, string> },
): WebhookRepresentation {
  const { id, url, events, format, payload, as_user, ordered, active, state, last_status } = webhook
  const personWith = (account: AccountId | null) =>
    account === null ? null : { id: account, username: logins.get(account) ?? '' }
  return {
    id,
    uri: `webhooks/${id}`,
    resources: resourcesBelow(`webhooks/${id}`, ['deliveries']),
    url,
    events: [...events],
    format,
    payload,
    as_user,
    ordered,
    active,
    state,
    state_reason: webhook.state_reason,
    last_status,
    place: formatFeedCursor({ epoch, position: webhook.place_position }),
    owner: personWith(webhook.owner_id),
    created_by: personWith(webhook.created_by),
    created_on: apiDate(webhook.created_on),
  }
}
