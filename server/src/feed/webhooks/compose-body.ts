import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { findUsableViewer } from '../../accounts/sign-in/find-viewer.ts'
import { anonymousUser } from '../../accounts/users/user.ts'
import type { ArtifactId } from '../../artifacts/artifact.ts'
import type { Changeset } from '../../artifacts/history/represent-changesets.ts'
import { statesAround } from '../../artifacts/history/states-around.ts'
import type { Audience } from '../../artifacts/reading/reading.ts'
import { isId, toId } from '../../platform/database/ids.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import { apiDate } from '../../platform/wire/dates.ts'
import { catalogueFor } from '../../platform/words/catalogue.ts'
import { groupsOfViewer } from '../../projects/groups/groups-of-viewer.ts'
import { groupIn, groupOfTracker } from '../../trackers/groups-of-tracker.ts'
import { representTracker } from '../../trackers/represent-tracker.ts'
import type { Sight } from '../../trackers/sight.ts'
import { type Reader, readStretch, type SeenEvent } from '../read-stretch.ts'
import { representEvents } from '../represent-events.ts'
import { readerOf } from './eyes.ts'
import type { TakenDelivery } from './take-due.ts'

const Versioned = Type.Object({ version: Type.Integer() })
const GONE = new Set(['artifact.deleted', 'artifact.purged'])

/**
 * What is sent, made of the version that the event tells of: the same on every repetition, but for rights, names and
 * labels, which are those of now. `hidden`: it is not for the hook's eyes, or not any more.
 */
export async function composeBody(context: Context, delivery: TakenDelivery): Promise<object | 'hidden'> {
  if (delivery.event === 'ping') return pingOf(delivery)
  const reader = await readerOf(context, delivery)
  if (!reader) return 'hidden'
  return untilUnchanged(() => compose(context, delivery, reader))
}

function pingOf({ event_id, on, webhook_id, project_id, tracker_id }: TakenDelivery): object {
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
  delivery: TakenDelivery,
  reader: Reader,
): Promise<object | 'hidden' | undefined> {
  const seen = await findSeen(context, delivery, reader)
  if (!seen) return 'hidden'
  const language = catalogueFor([context.settings.current.language])
  const audience: Audience = { context, db: context.db, viewer: reader.viewer, language }
  const told = await versionsOf(audience, seen)
  if (!told) return undefined
  const { current, previous, sight } = told
  const isNew = seen.type === 'artifact.created'
  if (delivery.payload === 'original' && (isNew || seen.type === 'artifact.updated') && current && sight)
    return {
      id: artifactOf(seen),
      action: isNew ? 'create' : 'update',
      user: current.submitted_by_details ?? anonymousUser(context, language),
      submitter_user_groups: await groupsOf(audience, delivery, sight, current.submitted_by),
      current: asOriginal(current),
      previous: previous && asOriginal(previous),
      is_custom_code_execution: false,
      tracker: await representTracker(context, context.db, sight, language),
    }
  const [event] = (await representEvents(context, reader.viewer, '', [seen])) ?? []
  return event && { ...event, id: delivery.event_id, current, previous }
}

/** The event, if it is still there and for these eyes. The types of a hook may have changed since it was planned. */
async function findSeen(
  { db }: Context,
  { xid, number, event }: TakenDelivery,
  reader: Reader,
): Promise<SeenEvent | undefined> {
  if (xid === null || number === null) return undefined
  const { seen } = await readStretch(db, { ...reader, types: [event] }, { xid, id: number - 1 }, 1, 1)
  return seen.find(({ id }) => id === number)
}

interface Told {
  readonly sight?: Sight
  readonly current: Changeset | null
  readonly previous: Changeset | null
}

/** What is deleted has a state before, and none now. */
async function versionsOf(audience: Audience, seen: SeenEvent): Promise<Told | undefined> {
  const { type, payload, tracker_id, stamp } = seen
  const artifact_id = artifactOf(seen)
  if (artifact_id === undefined || tracker_id === null || stamp === null || !Check(Versioned, payload))
    return { current: null, previous: null }
  const told = await statesAround(audience, { artifact_id, version: payload.version, tracker_id, stamp })
  return told && GONE.has(type) ? { sight: told.sight, current: null, previous: told.current } : told
}

function artifactOf({ object }: SeenEvent): ArtifactId | undefined {
  const [, number] = /^artifacts\/(\d+)$/.exec(object ?? '') ?? []
  return number === undefined ? undefined : toId<ArtifactId>(Number(number))
}

/** The keys that receivers of the original know. */
function asOriginal(changeset: Changeset): object {
  return Object.fromEntries(Object.entries(changeset).filter(([name]) => name !== 'version'))
}

/** In which groups somebody is, only those are told who administer the tracker, or see everything. */
async function groupsOf(
  { context, db, language }: Audience,
  { as_user }: TakenDelivery,
  { tracker, administers }: Sight,
  id: number | null,
): Promise<object[]> {
  if (id === null || !isId<AccountId>(id) || (as_user !== null && !administers)) return []
  const submitter = await findUsableViewer(context, id)
  if (!submitter) return []
  const groups = await groupsOfViewer(db, submitter, tracker.project_id)
  // In one order, so that a repetition is the same byte for byte.
  return [...groups]
    .toSorted((one, other) => one - other)
    .flatMap((group) => {
      const found = groupIn(tracker, group, language)
      return found ? [groupOfTracker(found)] : []
    })
}
