import { findActiveLogins } from '../../../accounts/users/find-active-people.ts'
import type { ArtifactId } from '../../../artifacts/artifact.ts'
import { replayHistories, type ReplayedVersion } from '../../../artifacts/history/replay-versions.ts'
import { findEventVersions, type EventVersion } from '../../../artifacts/history/event-versions.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { Event } from '../../../platform/database/events.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { fieldTypeOf } from '../../../trackers/field-types/field-types.ts'
import { loadCurrentTracker } from '../../../trackers/find-tracker.ts'
import type { LoadedTracker } from '../../../trackers/load-tracker.ts'
import type { Element, FieldId, StoredValues, TrackerId } from '../../../trackers/tracker.ts'
import { findMentions } from './find-mentions.ts'
import { findDefaultSubscribers, findWatchers, nearestLevels } from './find-watchers.ts'
import {
  type MentionLocation,
  type NotificationContext,
  type EventOutline,
  toEventOutline,
} from './notification-context.ts'

/** Events with all involved people. Events that involve no one are omitted. */
export async function loadNotificationContexts(
  context: Context,
  db: Db | Tx,
  events: readonly Event[],
): Promise<NotificationContext[]> {
  const outlines = events.flatMap((event) => toEventOutline(event) ?? [])
  if (outlines.length === 0) return []
  const watchers = await findWatchers(
    db,
    outlines.flatMap(({ around }) => around),
  )
  const defaultSubscribers = await loadByKey(
    outlines.map(({ event }) => event.project_id),
    (project) => (project === null ? Promise.resolve(new Set<AccountId>()) : findDefaultSubscribers(db, project)),
  )
  const involved = await findInvolvedPeople(context, db, outlines)
  return outlines.map((outline) => ({
    event: outline.event,
    watchers: nearestLevels(watchers, outline.around),
    eager: defaultSubscribers.get(outline.event.project_id) ?? new Set(),
    ...(involved.get(outline.event.id) ?? NO_INVOLVED_PEOPLE),
  }))
}

type InvolvedPeople = Omit<NotificationContext, 'event' | 'watchers' | 'eager'>

const NO_INVOLVED_PEOPLE: InvolvedPeople = {
  mentioned: new Map(),
  assigned: new Map(),
  listed: new Map(),
  submitter: null,
  commentedBefore: new Set(),
}

/** The people whom the versions concern, by event id. */
async function findInvolvedPeople(
  context: Context,
  db: Db | Tx,
  outlines: readonly EventOutline[],
): Promise<ReadonlyMap<number, InvolvedPeople>> {
  const wanted = outlines.flatMap(({ artifact }) => (artifact ? [{ artifact: artifact.id, ...artifact }] : []))
  const versions = new Map(
    (await findEventVersions(db, wanted)).map((row) => [versionKey(row.artifact_id, row.version), row]),
  )
  const trackers = await loadByKey(
    [...versions.values()].map(({ tracker_id }) => tracker_id),
    (id: TrackerId) => loadCurrentTracker(context, db, id),
  )
  const steps = await loadVersionSteps(db, [...versions.values()])
  const texts: { event: number; where: MentionLocation; logins: ReadonlySet<string> }[] = []
  const found = new Map<number, InvolvedPeople>()
  for (const { event, artifact } of outlines) {
    const version = artifact && versions.get(versionKey(artifact.id, artifact.version))
    const tracker = version && trackers.get(version.tracker_id)
    if (!tracker) continue
    const step = steps.get(version.artifact_id)?.get(version.version) ?? NO_STEP
    const values = artifact.writes ? step : { before: step.after, after: step.after, changes: {} }
    if (artifact.writes)
      for (const mention of findVersionMentions(tracker, version, step)) texts.push({ event: event.id, ...mention })
    found.set(event.id, { ...NO_INVOLVED_PEOPLE, tracker, ...peopleOfVersion(tracker, version, values) })
  }
  const accounts = await findActiveLogins(db, [...new Set(texts.flatMap(({ logins }) => [...logins]))])
  for (const { event, where, logins } of texts) {
    const involved = found.get(event)
    if (!involved) continue
    const mentioned = new Map(involved.mentioned)
    for (const login of logins) {
      const account = accounts.get(login)
      if (account !== undefined) mentioned.set(account, [...(mentioned.get(account) ?? []), where])
    }
    found.set(event, { ...involved, mentioned })
  }
  return found
}

/** The changes of each version, by artifact and number. */
function loadVersionSteps(
  db: Db | Tx,
  versions: readonly EventVersion[],
): Promise<ReadonlyMap<ArtifactId, ReadonlyMap<number, ReplayedVersion>>> {
  const requests = [...Map.groupBy(versions, ({ artifact_id }) => artifact_id)].flatMap(([id, those]) => {
    const [first] = those
    return first ? [{ id, tracker_id: first.tracker_id, versions: those.map(({ version }) => version) }] : []
  })
  return replayHistories(db, requests)
}

const NO_STEP: ReplayedVersion = { before: {}, changes: {}, after: {} }

function versionKey(artifact: number, version: number): string {
  return `${artifact} ${version}`
}

async function loadByKey<K, V>(keys: readonly K[], find: (key: K) => Promise<V>): Promise<ReadonlyMap<K, V>> {
  const found = new Map<K, V>()
  for (const key of new Set(keys)) found.set(key, await find(key))
  return found
}

/** Logins in the comment, and logins that a text field did not mention before. */
function findVersionMentions(
  tracker: LoadedTracker,
  { comment, comment_format }: EventVersion,
  { before, changes }: ReplayedVersion,
) {
  const inComment =
    comment === null || comment_format === null
      ? new Set<string>()
      : findMentions({ format: comment_format, content: comment })
  const inFields = tracker.elements
    .filter(({ id, is_used }) => is_used && String(id) in changes)
    .map((element) => ({
      where: element.id,
      logins: mentionedLogins(element, changes).difference(mentionedLogins(element, before)),
    }))
  return [{ where: 0 as const, logins: inComment }, ...inFields]
}

function mentionedLogins(element: Element, values: StoredValues): ReadonlySet<string> {
  const stored = values[String(element.id)]
  const texts = stored === undefined || stored === null ? [] : (fieldTypeOf(element).texts?.(stored) ?? [])
  return new Set(texts.flatMap((text) => [...findMentions(text)]))
}

function peopleOfVersion(tracker: LoadedTracker, version: EventVersion, { before, after }: ReplayedVersion) {
  const { contributor } = tracker.semantics
  const assigning = tracker.elements.filter(({ id, is_used }) => is_used && id === contributor)
  const [were, are] = [selectedAccounts(assigning, before), selectedAccounts(assigning, after)]
  const listing = tracker.elements.filter(({ notifies, is_used }) => notifies && is_used)
  const listed = new Map<AccountId, readonly FieldId[]>()
  for (const element of listing)
    for (const account of selectedAccounts([element], before).union(selectedAccounts([element], after)))
      listed.set(account, [...(listed.get(account) ?? []), element.id])
  return {
    assigned: new Map([...were.union(are)].map((account) => [account, { isNew: !were.has(account) }])),
    listed,
    submitter: version.submitted_by,
    commentedBefore: new Set(version.commented_by),
  }
}

function selectedAccounts(elements: readonly Element[], values: StoredValues): Set<AccountId> {
  return new Set(
    elements.flatMap((element) => {
      const stored = values[String(element.id)]
      return stored === undefined ? [] : [...(fieldTypeOf(element).people?.(stored, element) ?? [])]
    }),
  )
}
