import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { ProjectId } from '../../projects/project.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { Element, Tracker, TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'

const RENUMBER_BATCH_SIZE = 5000

/**
 * The index stores dates as days, or as seconds if they have a time. Rewrites the index when a definition changes that.
 */
export async function renumberDates(tx: Tx, before: Tracker, after: Tracker): Promise<void> {
  for (const element of after.elements) {
    const old = before.elements.find(({ id }) => id === element.id)
    if (old && !isDeepStrictEqual(sortOf(old), sortOf(element))) await renumber(tx, after.id, element)
  }
}

function sortOf(element: Element) {
  return fieldTypeOf(element).search?.sort?.(element)
}

async function renumber(tx: Tx, tracker: TrackerId, element: Element): Promise<void> {
  await sql`delete from number_index where field_id = ${element.id}`.execute(tx)
  const key = String(element.id)
  const after = (id: number) =>
    sql<{ id: ArtifactId; project_id: ProjectId; stored: unknown }>`
      select id, project_id, field_values -> ${key} as stored from artifact
      where tracker_id = ${tracker} and id > ${id} and field_values ? ${key} order by id limit ${RENUMBER_BATCH_SIZE}`.execute(
      tx,
    )
  for (let { rows } = await after(0); rows.length > 0; { rows } = await after(rows.at(-1)?.id ?? 0)) {
    const numbered = rows.flatMap(({ id, project_id, stored }) =>
      (fieldTypeOf(element).index?.(stored, element).numbers ?? []).map((value) => ({ id, project_id, value })),
    )
    await sql`
      insert into number_index (project_id, field_id, value, artifact_id)
      select given.project_id, ${element.id}, given.value, given.id
      from unnest(${numbered.map(({ project_id }) => project_id)}::bigint[],
        ${numbered.map(({ value }) => value)}::double precision[], ${numbered.map(({ id }) => id)}::bigint[])
        as given (project_id, value, id)`.execute(tx)
  }
}
