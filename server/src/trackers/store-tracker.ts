import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Tx, Db } from '../platform/database/db.ts'
import { isUniqueViolation } from '../platform/database/database-errors.ts'
import type { WriteContext } from '../platform/http/write-context.ts'
import { versionMismatch } from '../platform/wire/etag.ts'
import { ApiError } from '../platform/messages/errors.ts'
import { bumpRightsEpoch } from '../projects/membership.ts'
import type { ProjectId } from '../projects/project.ts'
import { fieldTypeOf } from './field-types/field-types.ts'
import { mirrorChanges } from './mirror-changes.ts'
import { renameInPrivateReports } from './reports/private-reports.ts'
import type { PartKind } from './tables.ts'
import { ACCESS_KINDS, type Structure, type Tracker, type TrackerId } from './tracker.ts'
import { UNRESTRICTED_VIEWER, loadReferenceNames } from './definition/load-reference-lookup.ts'
import type { TrackerDefinition } from './definition/schemas.ts'
import { writeDefinition } from './definition/write-definition.ts'

/** The members of a tracker beside its structure. */
export type TrackerHeader = Pick<Tracker, 'item_name' | 'label' | 'description' | 'color_name' | 'parent_id'>

/** The version that the ETag of a tracker or of its definition identifies. */
export function trackerVersion({ id, version }: Pick<Tracker, 'id' | 'version'>) {
  return { kind: 'tracker', id, version }
}

/** Allocates ids for new parts of a tracker, in ascending order. */
export async function newPartIds(
  tx: Tx,
  tracker: Pick<Tracker, 'id' | 'project_id'>,
  kind: PartKind,
  count: number,
): Promise<number[]> {
  if (count === 0) return []
  const { rows } = await sql<{ id: number }>`
    insert into tracker_part (project_id, tracker_id, kind)
    select ${tracker.project_id}, ${tracker.id}, ${kind} from generate_series(1, ${count}::integer)
    returning id`.execute(tx)
  return rows.map(({ id }) => id).toSorted((one, other) => one - other)
}

/** Locks the tracker against concurrent changes. Take it before any lock below the tracker. */
export async function lockTracker(tx: Tx, id: TrackerId): Promise<void> {
  await sql`select from tracker where tracker.id = ${id} for update`.execute(tx)
}

/**
 * Serializes changes of a project's trackers for rules that span several of them, such as hierarchies without cycles.
 * Take it before the lock on the tracker.
 */
export async function lockTrackersOf(tx: Tx, project: ProjectId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`trackers of ${project}`}, 0))`.execute(tx)
}

/** Inserts a new tracker; `build` allocates ids for its parts with `newPartIds`. */
export async function insertTracker(
  work: WriteContext,
  project_id: ProjectId,
  made: TrackerHeader,
  build: (id: TrackerId) => Promise<Structure>,
  now: Date,
): Promise<Tracker> {
  const { tx } = work
  const { viewer } = work.origin
  const { id } = await refuseTakenName(
    tx
      .insertInto('tracker')
      .values({ ...made, project_id, structure: '{}', created_by: viewer.account_id ?? null, created_on: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await tx.insertInto('tracker_total').values({ project_id, tracker_id: id }).execute()
  const tracker: Tracker = { ...(await build(id)), ...made, id, project_id, version: 1, rights_epoch: 1 }
  await tx
    .updateTable('tracker')
    .set({ structure: JSON.stringify(structureOf(tracker)), ...accessFields(tracker) })
    .where('id', '=', id)
    .execute()
  await writeGrants(tx, tracker)
  // Invalidates cached trackers of this project, which contain all item names and the groups that see them.
  await bumpRightsEpoch(tx, project_id)
  await writeVersion(work, tracker, await loadDefinitionDocument(tx, tracker), now)
  await work.change({
    object: 'trackers',
    made: `trackers/${id}`,
    op: 'create',
    project_id,
    after: { item_name: made.item_name, label: made.label, project_id },
  })
  await recordTrackerEvent(work, tracker, 'tracker.created')
  return tracker
}

export interface SaveOptions {
  readonly now: Date
  /** Replaces the list of changed members in the audit log and the dry run. */
  readonly report?: { readonly before: object; readonly after: object }
  /** The action in the audit log, if not that of the route. */
  readonly action?: string
}

/**
 * Writes a new version of a tracker. `before` must be the stored one: compare-and-swap, 412 after a concurrent change.
 */
export async function saveTracker(
  work: WriteContext,
  before: Tracker,
  after: Tracker,
  { now, report, action }: SaveOptions,
): Promise<Tracker> {
  const { tx } = work
  await lockTracker(tx, before.id)
  const movesRights = !isDeepStrictEqual(rightsOf(before), rightsOf(after))
  const { item_name, label, description, color_name, parent_id } = after
  const written = await refuseTakenName(
    tx
      .updateTable('tracker')
      .set((row) => ({
        item_name,
        label,
        description,
        color_name,
        parent_id,
        ...accessFields(after),
        structure: JSON.stringify(structureOf(after)),
        version: row('version', '+', 1),
        rights_epoch: row('rights_epoch', '+', movesRights ? 1 : 0),
      }))
      .where('id', '=', before.id)
      .where('version', '=', before.version)
      .returning(['version', 'rights_epoch'])
      .executeTakeFirst(),
  )
  if (!written) throw versionMismatch(trackerVersion({ id: before.id, version: await storedVersion(tx, before) }))
  const saved: Tracker = { ...after, ...written }
  if (movesRights) await writeGrants(tx, saved)
  await renameInPrivateReports(tx, before, saved)
  const [old, document] = [await loadDefinitionDocument(tx, before), await loadDefinitionDocument(tx, saved)]
  await writeVersion(work, saved, document, now)
  const changed = differing(old, document)
  await work.change({
    object: `trackers/${saved.id}`,
    op: 'update',
    project_id: saved.project_id,
    ...(action !== undefined && { action }),
    ...(report ?? { before: pick(old, changed), after: pick(document, changed) }),
  })
  await recordTrackerEvent(work, saved, 'tracker.changed', { changed })
  // Cached trackers of the project contain the item name and visibility of every tracker.
  if (movesRights || saved.item_name !== before.item_name) await bumpRightsEpoch(tx, saved.project_id)
  if (movesRights) await recordTrackerRightsEvent(work, saved)
  for (const mirror of await mirrorChanges(tx, before, saved))
    await saveTracker(work, mirror.before, mirror.after, { now })
  return saved
}

/** Publishes a tracker event to the feed. */
export async function recordTrackerEvent(
  work: WriteContext,
  { id, project_id, version }: Pick<Tracker, 'id' | 'project_id' | 'version'>,
  type: string,
  more: object = {},
): Promise<void> {
  await work.recordEvent({ type, object: `trackers/${id}`, project_id, payload: { tracker_id: id, version, ...more } })
}

/** Notifies every viewer of the project that the permissions in this tracker have changed. */
export async function recordTrackerRightsEvent(
  work: WriteContext,
  { id, project_id }: Pick<Tracker, 'id' | 'project_id'>,
): Promise<void> {
  await work.recordEvent({ type: 'rights.changed', project_id, payload: { tracker_id: id } })
}

/** Turns a violation of the unique index into the error for a taken name; safe under concurrency. */
export async function refuseTakenName<T>(write: Promise<T>, path = '/item_name'): Promise<T> {
  return write.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'tracker_item_name')) throw error
    throw new ApiError('name_taken', { path, rule: 'unique' })
  })
}

/** The members of the `structure` column, without other loaded data. */
function structureOf(tracker: Structure): Structure {
  const { settings, grants, elements, semantics, workflow, rules, triggers } = tracker
  const { reports, canned_responses, webhooks } = tracker
  return { settings, grants, elements, semantics, workflow, rules, triggers, reports, canned_responses, webhooks }
}

function rightsOf({ grants, elements }: Structure) {
  return { grants, fields: elements.map(({ id, rights, is_used }) => ({ id, rights, is_used })) }
}

async function writeGrants(tx: Tx, { id, project_id, grants }: Tracker): Promise<void> {
  await tx.deleteFrom('tracker_grant').where('tracker_id', '=', id).execute()
  const rows = ACCESS_KINDS.flatMap((kind) =>
    grants[kind].map((group_id) => ({ project_id, tracker_id: id, kind, group_id })),
  )
  if (rows.length > 0) await tx.insertInto('tracker_grant').values(rows).execute()
}

async function writeVersion(
  { tx, origin }: WriteContext,
  tracker: Tracker,
  document: object,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('tracker_version')
    .values({
      project_id: tracker.project_id,
      tracker_id: tracker.id,
      version: tracker.version,
      changed_by: origin.viewer.account_id ?? null,
      changed_on: now,
      definition: JSON.stringify(document),
    })
    .execute()
}

async function storedVersion(tx: Tx, { id }: Tracker): Promise<number> {
  const { version } = await tx.selectFrom('tracker').select('version').where('id', '=', id).executeTakeFirstOrThrow()
  return version
}

function differing(one: object, other: object): string[] {
  const [was, is] = [new Map<string, unknown>(Object.entries(one)), new Map<string, unknown>(Object.entries(other))]
  return [...new Set([...was.keys(), ...is.keys()])].filter((name) => !isDeepStrictEqual(was.get(name), is.get(name)))
}

function pick(values: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}

/** The fields that decide who may see an artifact, as columns for SQL. */
function accessFields({ semantics, elements }: Tracker) {
  const restriction = elements.find((element) => element.is_used && fieldTypeOf(element).controlsVisibility)
  return { contributor_field_id: semantics.contributor, restriction_field_id: restriction?.id ?? null }
}

/** The stored form of a definition document: all names are included, regardless of the viewer. */
async function loadDefinitionDocument(db: Db | Tx, tracker: Tracker): Promise<TrackerDefinition> {
  return writeDefinition(tracker, await loadReferenceNames(db, UNRESTRICTED_VIEWER, tracker))
}
