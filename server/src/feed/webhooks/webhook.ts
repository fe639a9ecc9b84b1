import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import type { Id } from '../../platform/database/ids.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import type { Version } from '../../platform/wire/etag.ts'
import { nullable } from '../../platform/wire/nullable.ts'
import type { ProjectId } from '../../projects/project.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { writePlace } from '../place.ts'

export type WebhookId = Id<'webhook'>
export type WebhookFormat = 'form' | 'json'
export type WebhookPayload = 'original' | 'event'
/** `failing`: since the last success something went wrong. `paused` by the platform, `off` by people or the receiver. */
export type WebhookState = 'ok' | 'failing' | 'paused' | 'off'

/** What those who are told of hooks see, and those who send need. Secrets are read apart, where they are used. */
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
  readonly last_status: number | null
  readonly place_xid: string
  readonly place_id: number
  readonly version: number
  readonly created_by: AccountId | null
  readonly created_on: Date
}

export const webhookColumns = sql`webhook.id, webhook.project_id, webhook.tracker_id, webhook.url, webhook.events,
  webhook.format, webhook.payload, webhook.as_user, webhook.ordered, webhook.active, webhook.state, webhook.last_status,
  webhook.place_xid::text as place_xid, webhook.place_id, webhook.version, webhook.created_by, webhook.created_on`

export const MOST_WEBHOOKS = 20

const Format = Type.Enum(['form', 'json'], {
  description: '`form`: one field `payload` that holds the JSON text. `json`: the same as the body itself.',
})
const Payload = Type.Enum(['original', 'event'], {
  description:
    '`original`: the form that receivers know, for artifacts that are created or updated. `event`: the event of the feed with `current` and `previous`.',
})
const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  trim: true,
  description: 'http or https, reachable from outside.',
})
const Events = Type.Array(Type.String({ maxLength: 50 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Types of events; `artifact.*` is all that begin so.',
})
const AsUser = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Whose rights cut what is sent. Null, for hooks of trackers: all values.',
})
const Ordered = Type.Boolean({ description: 'Each delivery waits for the one before.' })

export const Secret = Type.String({
  minLength: 16,
  maxLength: 256,
  description: 'What deliveries are signed with, 16 to 256 bytes. Absent: a random one.',
})

export const NewWebhook = Type.Object(
  {
    url: Url,
    events: Type.Optional(Events),
    format: Type.Optional(Format),
    payload: Type.Optional(Payload),
    as_user: Type.Optional(AsUser),
    ordered: Type.Optional(Ordered),
    active: Type.Optional(Type.Boolean()),
    secret: Type.Optional(Secret),
  },
  { title: 'NewWebhook' },
)
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookChange = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    format: Type.Optional(Format),
    payload: Type.Optional(Payload),
    as_user: Type.Optional(AsUser),
    ordered: Type.Optional(Ordered),
    active: Type.Optional(Type.Boolean({ description: 'True also ends a pause: it goes on at `place`.' })),
  },
  { title: 'WebhookChange' },
)
export type WebhookChange = Static<typeof WebhookChange>

const members = {
  id: Type.Integer(),
  uri: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  format: Format,
  payload: Payload,
  as_user: AsUser,
  ordered: Ordered,
  active: Type.Boolean(),
  state: Type.Enum(['ok', 'failing', 'paused', 'off'], {
    description: '`paused`: nothing was delivered for 3 days. `off`: switched off, by people or by the receiver (410).',
  }),
  last_status: nullable(Type.Integer()),
  place: Type.String({ description: 'Its place in the feed: what is behind it is still to be planned.' }),
  created_by: nullable(Type.Object({ id: Type.Integer(), username: Type.String() }, { title: 'PersonOfWebhook' })),
  created_on: Type.String(),
}

export const WebhookRepresentation = Type.Object(members, { title: 'Webhook' })
export const WebhookWithSecret = Type.Object(
  { ...members, secret: Type.String({ description: 'Shown once, here.' }) },
  { title: 'WebhookWithSecret' },
)
export type WebhookRepresentation = Static<typeof WebhookRepresentation>

export function versionOf({ id, version }: Pick<Webhook, 'id' | 'version'>): Version {
  return { kind: 'webhook', id, version }
}

export function representWebhook(
  webhook: Webhook,
  { epoch, logins }: { epoch: string; logins: ReadonlyMap<number, string> },
): WebhookRepresentation {
  const { id, url, events, format, payload, as_user, ordered, active, state, last_status, created_by } = webhook
  return {
    id,
    uri: `webhooks/${id}`,
    url,
    events: [...events],
    format,
    payload,
    as_user,
    ordered,
    active,
    state,
    last_status,
    place: writePlace({ epoch, xid: webhook.place_xid, id: webhook.place_id }),
    created_by: created_by === null ? null : { id: created_by, username: logins.get(created_by) ?? '' },
    created_on: apiDate(webhook.created_on),
  }
}
