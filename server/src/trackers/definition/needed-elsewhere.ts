import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { findMirrors } from '../mirror-changes.ts'
import type { FieldId, ListValueId, Tracker, Trigger } from '../tracker.ts'

/** Parts of this tracker that other trackers refer to. */
export interface Needed {
  /** Fields that triggers of other trackers depend on. */
  readonly fields: ReadonlySet<FieldId>
  readonly values: ReadonlySet<ListValueId>
  /** Fields that are shared into other trackers. */
  readonly mirrored: ReadonlySet<FieldId>
}

export async function findNeeded(db: Db | Tx, { id, project_id, elements }: Tracker): Promise<Needed> {
  const { rows } = await sql<{ when: Trigger['when'][number] }>`
    select jsonb_path_query(tracker.structure, '$.triggers[*].when[*] ? (@.tracker_id == $id)',
      jsonb_build_object('id', ${id}::bigint)) as when
    from tracker where tracker.project_id = ${project_id} and tracker.deleted_on is null
      and tracker.id <> ${id}`.execute(db)
  const mirrors = await findMirrors(
    db,
    elements.map((element) => element.id),
  )
  return {
    fields: new Set(rows.map(({ when }) => when.field_id)),
    values: new Set(rows.map(({ when }) => when.value)),
    mirrored: new Set(mirrors.map(({ field_id }) => field_id)),
  }
}
