import { type Static, Type } from 'typebox'
import { Resources } from '../../platform/wire/resources.ts'
import { nullable } from '../../platform/wire/nullable.ts'

const Format = Type.Enum(['form', 'json'], {
  description: '`form`: one field `payload` that holds the JSON text. `json`: the same as the body itself.',
})
const Payload = Type.Enum(['original', 'event'], {
  description:
    '`original`: the format of the original product, for artifacts that are created or updated. `event`: the event of the feed with `current` and `previous`.',
})
const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  trim: true,
  description: 'http or https, with a public address.',
})
const Events = Type.Array(Type.String({ maxLength: 50 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Event types; `artifact.*` stands for all types with that prefix.',
})
const AsUser = Type.Union([Type.Integer(), Type.Null()], {
  description:
    'The account whose permissions cut the payload. Null, for hooks of trackers: all fields of the artifacts of that tracker, and of everything else what the owner may read.',
})
const Ordered = Type.Boolean({ description: 'Each delivery waits for the previous one.' })

export const Secret = Type.String({
  minLength: 16,
  maxLength: 256,
  description: 'The secret that signs deliveries, 16 to 256 bytes. Absent: a random one.',
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
    active: Type.Optional(Type.Boolean({ description: 'True also ends a pause: the hook continues at `place`.' })),
  },
  { title: 'WebhookChange' },
)
export type WebhookChange = Static<typeof WebhookChange>

const person = { id: Type.Integer(), username: Type.String() }
const members = {
  id: Type.Integer(),
  uri: Type.String(),
  resources: Resources,
  url: Type.String(),
  events: Type.Array(Type.String()),
  format: Format,
  payload: Payload,
  as_user: AsUser,
  ordered: Ordered,
  active: Type.Boolean(),
  state: Type.Enum(['ok', 'failing', 'paused', 'off'], {
    description:
      '`paused` by the platform: see `state_reason`. `off`: switched off, by people or by the receiver (410).',
  }),
  state_reason: nullable(
    Type.Enum(['owner_lost_rights', 'receiver_failing', 'receiver_gone'], {
      description:
        '`owner_lost_rights`: the owner no longer administers the tracker or project, or cannot sign in. `receiver_failing`: nothing was delivered for 3 days. `receiver_gone`: the receiver answered 410.',
    }),
  ),
  last_status: nullable(Type.Integer()),
  place: Type.String({ description: 'Its cursor in the feed: later events are still to be planned.' }),
  owner: nullable(
    Type.Object(person, {
      title: 'OwnerOfWebhook',
      description: 'The account that created it, or was the last to set its url, as_user or secret.',
    }),
  ),
  created_by: nullable(Type.Object(person, { title: 'PersonOfWebhook' })),
  created_on: Type.String(),
}

export const WebhookRepresentation = Type.Object(members, { title: 'Webhook' })
export const WebhookWithSecret = Type.Object(
  { ...members, secret: Type.String({ description: 'Only this response contains it.' }) },
  { title: 'WebhookWithSecret' },
)
export type WebhookRepresentation = Static<typeof WebhookRepresentation>
