import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { isUniqueViolation } from '../platform/database/faults.ts'
import type { Work } from '../platform/http/work.ts'
import { versionMismatch } from '../platform/wire/etag.ts'
import { ApiError } from '../platform/words/errors.ts'
import { moveRights } from '../projects/membership.ts'
import type { ProjectId } from '../projects/project.ts'
import { documentOf } from './definition/document-of.ts'
import { mirrorChanges } from './mirror-changes.ts'
import { renameInPrivateReports } from './reports/private-reports.ts'
import type { PartKind } from './tables.ts'
import { ACCESS_KINDS, type Structure, type Tracker, type TrackerId } from './tracker.ts'

/** The description of a tracker beside its structure. */
export type Named = Pick<Tracker, 'item_name' | 'label' | 'description' | 'color_name' | 'parent_id'>

/** What an Etag of a tracker, or of its definition, names. */
export function versionOf({ id, version }: Pick<Tracker, 'id' | 'version'>) {
  return { kind: 'tracker', id, version }
}

/** Ids for new parts of a tracker, lowest first. */
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

/** Whoever changes the same tracker waits. Taken before anything below the tracker is locked. */
export async function lockTracker(tx: Tx, id: TrackerId): Promise<void> {
  await sql`select from tracker where tracker.id = ${id} for update`.execute(tx)
}

/**
 * One change of the trackers of a project at a time, where what is allowed depends on several of them: hierarchies
 * have no cycles. Taken before the tracker itself is locked.
 */
export async function lockTrackersOf(tx: Tx, project: ProjectId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`trackers of ${project}`}, 0))`.execute(tx)
}

/** A new tracker; `build` gets ids for its parts by `newPartIds`. */
export async function insertTracker(
  work: Work,
  project_id: ProjectId,
  made: Named,
  build: (id: TrackerId) => Promise<Structure>,
  now: Date,
): Promise<Tracker> {
  const { tx } = work
  const { viewer } = work.origin
  const { id } = await naming(
    tx
      .insertInto('tracker')
      .values({ ...made, project_id, structure: '{}', created_by: viewer.account_id ?? null, created_on: now })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  await tx.insertInto('tracker_counter').values({ project_id, tracker_id: id }).execute()
  const tracker: Tracker = { ...(await build(id)), ...made, id, project_id, version: 1, rights_epoch: 1 }
  await tx
    .updateTable('tracker')
    .set({ structure: JSON.stringify(structureOf(tracker)), ...fieldsForSight(tracker) })
    .where('id', '=', id)
    .execute()
  await writeGrants(tx, tracker)
  // What is known in memory of the other trackers of this project knows their item names, and who sees them.
  await moveRights(tx, project_id)
  await writeVersion(work, tracker, await documentOf(tx, tracker), now)
  await work.change({
    object: 'trackers',
    made: `trackers/${id}`,
    op: 'create',
    project_id,
    after: { item_name: made.item_name, label: made.label, project_id },
  })
  await tell(work, tracker, 'tracker.created')
  return tracker
}

/**
 * Writes a new version of a tracker. `before` must be the stored one: it is compared, and 412 if somebody was faster.
 * `report` is what the audit log and a dry run say, instead of the members of the definition that differ.
 */
export async function saveTracker(
  work: Work,
  before: Tracker,
  after: Tracker,
  { now, report }: { now: Date; report?: { before: object; after: object } },
): Promise<Tracker> {
  const { tx } = work
  await lockTracker(tx, before.id)
  const movesRights = !isDeepStrictEqual(rightsOf(before), rightsOf(after))
  const { item_name, label, description, color_name, parent_id } = after
  const written = await naming(
    tx
      .updateTable('tracker')
      .set((row) => ({
        item_name,
        label,
        description,
        color_name,
        parent_id,
        ...fieldsForSight(after),
        structure: JSON.stringify(structureOf(after)),
        version: row('version', '+', 1),
        rights_epoch: row('rights_epoch', '+', movesRights ? 1 : 0),
      }))
      .where('id', '=', before.id)
      .where('version', '=', before.version)
      .returning(['version', 'rights_epoch'])
      .executeTakeFirst(),
  )
  if (!written) throw versionMismatch(versionOf({ id: before.id, version: await storedVersion(tx, before) }))
  const saved: Tracker = { ...after, ...written }
  if (movesRights) await writeGrants(tx, saved)
  await renameInPrivateReports(tx, before, saved)
  const [old, document] = [await documentOf(tx, before), await documentOf(tx, saved)]
  await writeVersion(work, saved, document, now)
  const changed = differing(old, document)
  await work.change({
    object: `trackers/${saved.id}`,
    op: 'update',
    project_id: saved.project_id,
    ...(report ?? { before: pick(old, changed), after: pick(document, changed) }),
  })
  await tell(work, saved, 'tracker.changed', { changed })
  // What a tracker calls its artifacts, and who sees it, all others of the project keep in mind.
  if (movesRights || saved.item_name !== before.item_name) await moveRights(tx, saved.project_id)
  if (movesRights) await tellRights(work, saved)
  for (const mirror of await mirrorChanges(tx, before, saved))
    await saveTracker(work, mirror.before, mirror.after, { now })
  return saved
}

/** Tells the feed what became of a tracker. */
export async function tell(
  work: Work,
  { id, project_id, version }: Pick<Tracker, 'id' | 'project_id' | 'version'>,
  type: string,
  more: object = {},
): Promise<void> {
  await work.tell({ type, object: `trackers/${id}`, project_id, payload: { tracker_id: id, version, ...more } })
}

/** Tells everybody who sees the project that this tracker may look different to him now. */
export async function tellRights(work: Work, { id, project_id }: Pick<Tracker, 'id' | 'project_id'>): Promise<void> {
  await work.tell({ type: 'rights.changed', project_id, payload: { tracker_id: id } })
}

/** A name that is in use is found by the index, whoever is at it at the same time. */
export async function naming<T>(write: Promise<T>, path = '/item_name'): Promise<T> {
  return write.catch((error: unknown) => {
    if (!isUniqueViolation(error, 'tracker_item_name')) throw error
    throw new ApiError('name_taken', { path, rule: 'unique' })
  })
}

/** What the column holds of a tracker, and nothing that was loaded beside it. */
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

async function writeVersion({ tx, origin }: Work, tracker: Tracker, document: object, now: Date): Promise<void> {
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

/** The fields that decide who sees an artifact, where SQL finds them. */
function fieldsForSight({ semantics, elements }: Tracker) {
  const restriction = elements.find(({ type, is_used }) => type === 'perm' && is_used)
  return { contributor_field_id: semantics.contributor, restriction_field_id: restriction?.id ?? null }
}
