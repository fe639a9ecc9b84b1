import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import { statesAround, type StatesAround } from '../../artifacts/history/states-around.ts'
import type { Audience } from '../../artifacts/reading/audience.ts'
import { inSnapshot } from '../../platform/database/db.ts'
import { toId } from '../../platform/database/ids.ts'
import type { Context } from '../../platform/operation/context.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { selectCatalogue } from '../../platform/messages/catalogue.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import { type FeedReader, findReadableEvents, type VisibleEvent } from '../scan-events.ts'
import { representEvents } from '../represent-events.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { createOriginalFormat } from './original-format.ts'
import { findWebhookReader } from './webhook-viewer.ts'

const Versioned = Type.Object({ version: Type.Integer() })
const DELETED_EVENT_TYPES = new Set(['artifact.deleted', 'artifact.purged'])

/** An event, and the payload format in which it is sent. */
export type EventToSend = Pick<ClaimedDelivery, 'event' | 'event_id' | 'number' | 'payload'>

/** `hidden`: the viewer may not read the event now. */
type ComposedBody = object | 'hidden'

/**
 * The bodies of deliveries of one hook, in their order, made in one snapshot. They are built from the version that the
 * event is about: the same on every attempt, except for permissions, names and labels, which are current.
 * `owner_lost_rights`: stop the hook.
 */
export function composeBodies(
  context: Context,
  deliveries: readonly ClaimedDelivery[],
): Promise<readonly (ComposedBody | 'owner_lost_rights')[]> {
  return inOneSnapshot(context, async (inside) => {
    const events = deliveries.filter(({ event }) => event !== 'ping')
    const [hook] = events
    const reader = hook && (await findWebhookReader(inside, inside.db, hook))
    const isLost = reader === 'owner_lost_rights'
    const bodies = reader && !isLost ? await compose(inside, events, reader) : new Map<EventToSend, object>()
    const absent = isLost ? 'owner_lost_rights' : 'hidden'
    return bodies && deliveries.map((each) => (each.event === 'ping' ? buildPing(each) : (bodies.get(each) ?? absent)))
  })
}

/** The body of one event as this reader may read it now. */
export function composeBodyFor(context: Context, event: EventToSend, reader: FeedReader): Promise<ComposedBody> {
  return inOneSnapshot(context, async (inside) => {
    const bodies = await compose(inside, [event], reader)
    return bodies && (bodies.get(event) ?? 'hidden')
  })
}

/** All reads of `work` use the snapshot, because `db` is its transaction. */
function inOneSnapshot<T>(context: Context, work: (inside: Context) => Promise<T | undefined>): Promise<T> {
  return retryOnConflict(() => inSnapshot(context.db, (tx) => work({ ...context, db: tx })))
}

function buildPing({ event_id, on, webhook_id, project_id, tracker_id }: ClaimedDelivery): object {
  return {
    id: event_id,
    type: 'ping',
    on: apiDate(on),
    object: `webhooks/${webhook_id}`,
    project: { id: project_id },
    tracker: tracker_id === null ? null : { id: tracker_id },
  }
}

/** The bodies of visible events. Undefined if a tracker has changed meanwhile. */
async function compose(
  context: Context,
  toSend: readonly EventToSend[],
  reader: FeedReader,
): Promise<ReadonlyMap<EventToSend, object> | undefined> {
  const { viewer, allFieldsOf } = reader
  // The types of a hook may have changed since it was planned.
  const types = [...new Set(toSend.map(({ event }) => event))]
  const numbers = new Set(toSend.flatMap(({ number }) => number ?? []))
  const visible = await findReadableEvents(context.db, { ...reader, types }, [...numbers])
  const seen = toSend.flatMap((sent) => {
    const event = sent.number === null ? undefined : visible.get(sent.number)
    return event?.type === sent.event ? [{ sent, event }] : []
  })
  const language = selectCatalogue([context.settings.current.language])
  const audience: Audience = { context, db: context.db, viewer, language }
  const statesOf = await loadVersionStates(audience, [...visible.values()], allFieldsOf)
  if (!statesOf) return undefined
  const bodies = new Map<EventToSend, object>()
  const toOriginal = createOriginalFormat(audience)
  for (const { sent, event } of seen) {
    const body =
      sent.payload === 'original' ? await toOriginal(event, eventArtifactId(event), statesOf.get(event.id)) : undefined
    if (body) bodies.set(sent, body)
  }
  const others = seen.filter(({ sent }) => !bodies.has(sent))
  const events = others.map(({ event }) => event)
  const represented = await representEvents(context, viewer, '', events, allFieldsOf)
  if (!represented) return undefined
  for (const [at, { sent, event }] of others.entries()) {
    const { current = null, previous = null } = statesOf.get(event.id) ?? {}
    bodies.set(sent, { ...represented[at], id: sent.event_id, current, previous })
  }
  return bodies
}

/** By id of the event. A deleted artifact has a previous state, but no current one. */
async function loadVersionStates(
  audience: Audience,
  events: readonly VisibleEvent[],
  allFieldsOf: TrackerId | undefined,
): Promise<ReadonlyMap<number, StatesAround> | undefined> {
  const subjects = events.flatMap((event) => {
    const { id, type, payload, tracker_id, stamp } = event
    const artifact_id = eventArtifactId(event)
    if (artifact_id === undefined || tracker_id === null || stamp === null || !Check(Versioned, payload)) return []
    return [{ id, type, artifact_id, version: payload.version, tracker_id, stamp }]
  })
  const found = await statesAround(audience, subjects, allFieldsOf)
  return (
    found &&
    new Map(
      [...found].map(([{ id, type }, { access, current, previous }]) => [
        id,
        DELETED_EVENT_TYPES.has(type) ? { access, current: null, previous: current } : { access, current, previous },
      ]),
    )
  )
}

function eventArtifactId({ object }: VisibleEvent): ArtifactId | undefined {
  const [, number] = /^artifacts\/(\d+)$/.exec(object ?? '') ?? []
  return number === undefined ? undefined : toId<ArtifactId>(Number(number))
}
