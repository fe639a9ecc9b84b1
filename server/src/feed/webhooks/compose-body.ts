import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { anonymousUser } from '../../accounts/users/user.ts'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { Changeset } from '../../artifacts/history/represent-changesets.ts'
import { statesAround } from '../../artifacts/history/states-around.ts'
import type { Audience } from '../../artifacts/reading/audience.ts'
import { isId, toId } from '../../platform/database/ids.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { selectCatalogue } from '../../platform/messages/catalogue.ts'
import { groupsOfViewer } from '../../projects/groups/groups-of-viewer.ts'
import { groupIn, groupOfTracker } from '../../trackers/groups-of-tracker.ts'
import { representTracker } from '../../trackers/represent-tracker.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { type FeedReader, findVisibleEvent, type VisibleEvent } from '../scan-events.ts'
import { representEvents } from '../represent-events.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { findWebhookReader } from './webhook-viewer.ts'

const Versioned = Type.Object({ version: Type.Integer() })
const DELETED_EVENT_TYPES = new Set(['artifact.deleted', 'artifact.purged'])

/** An event, and the payload format in which it is sent. */
export type EventToSend = Pick<ClaimedDelivery, 'event' | 'event_id' | 'number' | 'payload'>

/**
 * The body, built from the version that the event is about: the same on every attempt, except for permissions, names and
 * labels, which are current. `hidden`: the hook's viewer may not read the event now. `owner_lost_rights`: stop the hook.
 */
export async function composeBody(
  context: Context,
  delivery: ClaimedDelivery,
): Promise<object | 'hidden' | 'owner_lost_rights'> {
  if (delivery.event === 'ping') return buildPing(delivery)
  const reader = await findWebhookReader(context, context.db, delivery)
  if (reader === 'owner_lost_rights') return reader
  return reader ? composeBodyFor(context, delivery, reader) : 'hidden'
}

/** The body as this reader may read it now. */
export function composeBodyFor(context: Context, event: EventToSend, reader: FeedReader): Promise<object | 'hidden'> {
  return retryOnConflict(() => compose(context, event, reader))
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

async function compose(
  context: Context,
  toSend: EventToSend,
  reader: FeedReader,
): Promise<object | 'hidden' | undefined> {
  const { number, event: type } = toSend
  // The types of a hook may have changed since it was planned.
  const seen = number === null ? undefined : await findVisibleEvent(context.db, { ...reader, types: [type] }, number)
  if (!seen) return 'hidden'
  const language = selectCatalogue([context.settings.current.language])
  const audience: Audience = { context, db: context.db, viewer: reader.viewer, language }
  const states = await loadVersionStates(audience, seen, reader)
  if (!states) return undefined
  const { current, previous, access } = states
  const isNew = seen.type === 'artifact.created'
  if (toSend.payload === 'original' && (isNew || seen.type === 'artifact.updated') && current && access)
    return {
      id: eventArtifactId(seen),
      action: isNew ? 'create' : 'update',
      user: current.submitted_by_details ?? anonymousUser(context, language),
      submitter_user_groups: await submitterGroups(audience, access, current.submitted_by),
      current: toOriginalFormat(current),
      previous: previous && toOriginalFormat(previous),
      is_custom_code_execution: false,
      tracker: await representTracker(context, context.db, access, language),
    }
  const [event] = (await representEvents(context, reader.viewer, '', [seen], reader.allFieldsOf)) ?? []
  return event && { ...event, id: toSend.event_id, current, previous }
}

interface VersionStates {
  readonly access?: TrackerAccess
  readonly current: Changeset | null
  readonly previous: Changeset | null
}

/** A deleted artifact has a previous state, but no current one. */
async function loadVersionStates(
  audience: Audience,
  seen: VisibleEvent,
  { allFieldsOf }: FeedReader,
): Promise<VersionStates | undefined> {
  const { type, payload, tracker_id, stamp } = seen
  const artifact_id = eventArtifactId(seen)
  if (artifact_id === undefined || tracker_id === null || stamp === null || !Check(Versioned, payload))
    return { current: null, previous: null }
  const states = await statesAround(audience, { artifact_id, version: payload.version, tracker_id, stamp, allFieldsOf })
  return states && DELETED_EVENT_TYPES.has(type)
    ? { access: states.access, current: null, previous: states.current }
    : states
}

function eventArtifactId({ object }: VisibleEvent): ArtifactId | undefined {
  const [, number] = /^artifacts\/(\d+)$/.exec(object ?? '') ?? []
  return number === undefined ? undefined : toId<ArtifactId>(Number(number))
}

/** The keys of the original webhook format. */
function toOriginalFormat(changeset: Changeset): object {
  return Object.fromEntries(Object.entries(changeset).filter(([name]) => name !== 'version'))
}

/** Groups of an account are readable by administrators of the tracker only. */
async function submitterGroups(
  { context, db, language }: Audience,
  { tracker, administers }: TrackerAccess,
  id: number | null,
): Promise<object[]> {
  if (id === null || !isId<AccountId>(id) || !administers) return []
  const submitter = await findUsableViewer(context, id)
  if (!submitter) return []
  const groups = await groupsOfViewer(db, submitter, tracker.project_id)
  // A fixed order, so that a repeated delivery is equal byte for byte.
  return [...groups]
    .toSorted((one, other) => one - other)
    .flatMap((group) => {
      const found = groupIn(tracker, group, language)
      return found ? [groupOfTracker(found)] : []
    })
}
