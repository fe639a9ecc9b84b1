import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import type { ProjectId } from '../projects/project.ts'
import { referencedIds } from './definition/referenced-names.ts'
import { deletedTrackers } from './deleted-trackers.ts'
import { loadTracker } from './load-tracker.ts'
import type { FieldId, Structure, Tracker, TrackerId } from './tracker.ts'

export interface DeletedTracker {
  readonly id: TrackerId
  readonly project_id: ProjectId
  readonly label: string
}

/** Trackers in the trash that were deleted at this time or before. */
export async function findTrackersDeletedBefore(db: Db, then: Date): Promise<DeletedTracker[]> {
  const { rows } = await sql<DeletedTracker>`
    select id, project_id, label from (${deletedTrackers}) gone where gone.deleted_on <= ${then}
    order by gone.deleted_on, id`.execute(db)
  return rows
}

/** Locks a tracker in the trash until the transaction ends. False: it has been restored. */
export async function lockInTrash(tx: Tx, id: TrackerId): Promise<boolean> {
  const { rows } = await sql`
    select from tracker where tracker.id = ${id} and tracker.deleted_on is not null for update`.execute(tx)
  return rows.length > 0
}

/**
 * Purges a tracker without artifacts. Fields that other trackers share become their own; other references are removed.
 */
export async function purgeTracker(tx: Tx, id: TrackerId): Promise<void> {
  const purged = await loadTracker(tx, id)
  if (!purged) return
  const fields = purged.elements.map((element) => element.id)
  const { rows } = await sql<{ id: TrackerId }>`
    select tracker.id from tracker where tracker.id <> ${id} and (tracker.parent_id = ${id}
      or tracker.project_id = ${purged.project_id}
      or jsonb_path_query_array(tracker.structure, '$.elements[*].shared_from ? (@ != null)') @> any(
        select to_jsonb(field) from unnest(${fields}::bigint[]) as field))
    order by tracker.id for update`.execute(tx)
  for (const other of rows) await forgetTracker(tx, other.id, purged)
  const tables = [
    'open_value',
    'tracker_report',
    'tracker_part',
    'tracker_version',
    'tracker_grant',
    'tracker_rank',
  ] as const
  // The total before its changes, as the worker that adds them locks them.
  for (const table of [...tables, 'tracker_total', 'tracker_total_change'] as const)
    await tx.deleteFrom(table).where('tracker_id', '=', id).execute()
  await tx.deleteFrom('tracker').where('id', '=', id).execute()
}

/** Removes all references to the purged tracker, which a definition can no longer name. */
async function forgetTracker(tx: Tx, id: TrackerId, purged: Tracker): Promise<void> {
  const tracker = await loadTracker(tx, id)
  if (!tracker) return
  const gone = new Set<FieldId | null>(purged.elements.map((element) => element.id))
  const needsIt = referencedIds(tracker).trackers.includes(purged.id)
  if (!needsIt && !tracker.elements.some(({ shared_from }) => shared_from !== null && gone.has(shared_from))) return
  const { rows } = await sql<{ structure: Structure }>`
    select tracker.structure from tracker where tracker.id = ${id}`.execute(tx)
  for (const { structure } of rows)
    await tx
      .updateTable('tracker')
      .set((row) => ({
        structure: JSON.stringify(withoutTracker(structure, purged.id, gone)),
        parent_id: tracker.parent_id === purged.id ? null : tracker.parent_id,
        // Invalidates cached copies.
        rights_epoch: row('rights_epoch', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
}

function withoutTracker(structure: Structure, purged: TrackerId, gone: ReadonlySet<FieldId | null>): Structure {
  const { elements, triggers, semantics } = structure
  const { timeframe } = semantics
  const isImplied = timeframe !== null && 'implied_from' in timeframe && timeframe.implied_from === purged
  return {
    ...structure,
    elements: elements.map((element) => (gone.has(element.shared_from) ? { ...element, shared_from: null } : element)),
    triggers: triggers
      .map((trigger) => ({ ...trigger, when: trigger.when.filter(({ tracker_id }) => tracker_id !== purged) }))
      .filter(({ when }) => when.length > 0),
    semantics: { ...semantics, timeframe: isImplied ? null : timeframe },
  }
}
