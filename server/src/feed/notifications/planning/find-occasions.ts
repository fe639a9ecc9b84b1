import { findActiveLogins } from '../../../accounts/users/find-active-people.ts'
import type { ArtifactId } from '../../../artifacts/artifact.ts'
import { replaySteps, type Step } from '../../../artifacts/history/replay.ts'
import { findToldVersions, type ToldVersion } from '../../../artifacts/history/told-versions.ts'
import type { Db, Tx } from '../../../platform/database/db.ts'
import type { Event } from '../../../platform/database/events.ts'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { Context } from '../../../platform/operation/context.ts'
import { fieldTypeOf } from '../../../trackers/fields/field-types.ts'
import { trackerNow } from '../../../trackers/find-tracker.ts'
import type { LoadedTracker } from '../../../trackers/load-tracker.ts'
import type { Element, FieldId, StoredValues, TrackerId } from '../../../trackers/tracker.ts'
import { findMentions } from './find-mentions.ts'
import { findEager, findWatchers, nearestLevels } from './find-watchers.ts'
import { type Named, type Occasion, type Outline, outlineOf } from './occasion.ts'

/** Events with everybody who has something to do with them. Those that concern nobody are left out. */
export async function findOccasions(context: Context, db: Db | Tx, events: readonly Event[]): Promise<Occasion[]> {
  const outlines = events.flatMap((event) => outlineOf(event) ?? [])
  if (outlines.length === 0) return []
  const watchers = await findWatchers(
    db,
    outlines.flatMap(({ around }) => around),
  )
  const eager = await remember(
    outlines.map(({ event }) => event.project_id),
    (project) => (project === null ? Promise.resolve(new Set<AccountId>()) : findEager(db, project)),
  )
  const involved = await findInvolved(context, db, outlines)
  return outlines.map((outline) => ({
    event: outline.event,
    watchers: nearestLevels(watchers, outline.around),
    eager: eager.get(outline.event.project_id) ?? new Set(),
    ...(involved.get(outline.event.id) ?? NOBODY),
  }))
}

type Involved = Omit<Occasion, 'event' | 'watchers' | 'eager'>

const NOBODY: Involved = {
  mentioned: new Map(),
  assigned: new Map(),
  listed: new Map(),
  submitter: null,
  commentedBefore: new Set(),
}

/** Whom the versions themselves concern, by the ids of their events. */
async function findInvolved(
  context: Context,
  db: Db | Tx,
  outlines: readonly Outline[],
): Promise<ReadonlyMap<number, Involved>> {
  const wanted = outlines.flatMap(({ artifact }) => (artifact ? [{ artifact: artifact.id, ...artifact }] : []))
  const versions = new Map(
    (await findToldVersions(db, wanted)).map((row) => [keyOf(row.artifact_id, row.version), row]),
  )
  const trackers = await remember(
    [...versions.values()].map(({ tracker_id }) => tracker_id),
    (id: TrackerId) => trackerNow(context, db, id),
  )
  const steps = await findSteps(db, [...versions.values()])
  const texts: { event: number; where: Named; logins: ReadonlySet<string> }[] = []
  const found = new Map<number, Involved>()
  for (const { event, artifact } of outlines) {
    const version = artifact && versions.get(keyOf(artifact.id, artifact.version))
    const tracker = version && trackers.get(version.tracker_id)
    if (!tracker) continue
    const step = steps.get(version.artifact_id)?.get(version.version) ?? NO_STEP
    const values = artifact.writes ? step : { before: step.after, after: step.after, changes: {} }
    if (artifact.writes)
      for (const mention of mentionsIn(tracker, version, step)) texts.push({ event: event.id, ...mention })
    found.set(event.id, { ...NOBODY, tracker, ...peopleIn(tracker, version, values) })
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

/** What each version has changed, by artifact and number: one statement for each artifact. */
async function findSteps(
  db: Db | Tx,
  versions: readonly ToldVersion[],
): Promise<ReadonlyMap<ArtifactId, ReadonlyMap<number, Step>>> {
  const found = new Map<ArtifactId, ReadonlyMap<number, Step>>()
  for (const [id, [first, ...others]] of Map.groupBy(versions, ({ artifact_id }) => artifact_id)) {
    if (!first) continue
    const numbers = [first, ...others].map(({ version }) => version)
    found.set(id, await replaySteps(db, { id, tracker_id: first.tracker_id }, numbers))
  }
  return found
}

const NO_STEP: Step = { before: {}, changes: {}, after: {} }

function keyOf(artifact: number, version: number): string {
  return `${artifact} ${version}`
}

async function remember<K, V>(keys: readonly K[], find: (key: K) => Promise<V>): Promise<ReadonlyMap<K, V>> {
  const found = new Map<K, V>()
  for (const key of new Set(keys)) found.set(key, await find(key))
  return found
}

/** Logins in the comment, and in texts where they did not stand before. */
function mentionsIn(tracker: LoadedTracker, { comment, comment_format }: ToldVersion, { before, changes }: Step) {
  const inComment =
    comment === null || comment_format === null
      ? new Set<string>()
      : findMentions({ format: comment_format, content: comment })
  const inFields = tracker.elements
    .filter(({ id, is_used }) => is_used && String(id) in changes)
    .map((element) => ({
      where: element.id,
      logins: loginsIn(element, changes).difference(loginsIn(element, before)),
    }))
  return [{ where: 0 as const, logins: inComment }, ...inFields]
}

function loginsIn(element: Element, values: StoredValues): ReadonlySet<string> {
  const stored = values[String(element.id)]
  const texts = stored === undefined || stored === null ? [] : (fieldTypeOf(element).texts?.(stored) ?? [])
  return new Set(texts.flatMap((text) => [...findMentions(text)]))
}

function peopleIn(tracker: LoadedTracker, version: ToldVersion, { before, after }: Step) {
  const { contributor } = tracker.semantics
  const assigning = tracker.elements.filter(({ id, is_used }) => is_used && id === contributor)
  const [were, are] = [namedBy(assigning, before), namedBy(assigning, after)]
  const listing = tracker.elements.filter(({ notifies, is_used }) => notifies && is_used)
  const listed = new Map<AccountId, readonly FieldId[]>()
  for (const element of listing)
    for (const account of namedBy([element], before).union(namedBy([element], after)))
      listed.set(account, [...(listed.get(account) ?? []), element.id])
  return {
    assigned: new Map([...were.union(are)].map((account) => [account, { isNew: !were.has(account) }])),
    listed,
    submitter: version.submitted_by,
    commentedBefore: new Set(version.commented_by),
  }
}

function namedBy(elements: readonly Element[], values: StoredValues): Set<AccountId> {
  return new Set(
    elements.flatMap((element) => {
      const stored = values[String(element.id)]
      return stored === undefined ? [] : [...(fieldTypeOf(element).people?.(stored, element) ?? [])]
    }),
  )
}
