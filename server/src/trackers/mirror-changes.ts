import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/db.ts'
import { loadTracker } from './load-tracker.ts'
import type { Element, FieldId, Tracker, TrackerId } from './tracker.ts'

/** The trackers that share fields of this one, with those fields updated. */
export async function mirrorChanges(
  tx: Tx,
  before: Tracker,
  after: Tracker,
): Promise<{ before: Tracker; after: Tracker }[]> {
  const was = new Map(before.elements.map((element) => [element.id, element]))
  const changed = after.elements.filter((element) => {
    const old = was.get(element.id)
    return old !== undefined && !isDeepStrictEqual(mirrored(old), mirrored(element))
  })
  const originals = new Map<FieldId | null, Element>(changed.map((element) => [element.id, element]))
  const found: { before: Tracker; after: Tracker }[] = []
  const mirrors = await findMirrors(
    tx,
    changed.map((element) => element.id),
  )
  for (const id of new Set(mirrors.map(({ tracker_id }) => tracker_id))) {
    await sql`select from tracker where tracker.id = ${id} for update`.execute(tx)
    const tracker = await loadTracker(tx, id)
    if (!tracker) continue
    const elements = tracker.elements.map((element) => ({
      ...element,
      ...mirrored(originals.get(element.shared_from) ?? element),
    }))
    found.push({ before: tracker, after: { ...tracker, elements } })
  }
  return found
}

/** The fields that other trackers share, with those trackers. */
export async function findMirrors(
  db: Db | Tx,
  fields: readonly FieldId[],
): Promise<{ tracker_id: TrackerId; field_id: FieldId }[]> {
  if (fields.length === 0) return []
  const { rows } = await sql<{ tracker_id: TrackerId; field_id: FieldId }>`
    select distinct tracker.id as tracker_id, (mirrored.id #>> '{}')::bigint as field_id
    from tracker, jsonb_path_query(tracker.structure, '$.elements[*].shared_from ? (@ != null)') as mirrored (id)
    where jsonb_path_query_array(tracker.structure, '$.elements[*].shared_from ? (@ != null)') @> any(
        select to_jsonb(field) from unnest(${fields}::bigint[]) as field)
      and (mirrored.id #>> '{}')::bigint = any(${fields}::bigint[])
    order by tracker_id`.execute(db)
  return rows
}

function mirrored({ type, bind }: Element): Pick<Element, 'type' | 'bind'> {
  return { type, bind }
}
