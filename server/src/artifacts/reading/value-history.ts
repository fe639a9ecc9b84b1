import { sql } from 'kysely'
import type { FieldId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import type { Audience } from './audience.ts'

/** Past values of artifact fields. */
export interface ValueHistory {
  at(artifact: ArtifactId, field: FieldId, moment: Date): unknown
}

interface Entry {
  readonly artifact_id: ArtifactId
  readonly field_id: FieldId
  readonly on: Date
  readonly value: unknown
}

/** Only for artifacts and fields that the caller has found readable. */
export async function findValueHistory(
  { db }: Audience,
  wanted: readonly { readonly artifact: ArtifactId; readonly field: FieldId }[],
): Promise<ValueHistory> {
  const entries = new Map<string, Entry[]>()
  if (wanted.length > 0) {
    const { rows } = await sql<Entry>`
      select changeset.artifact_id, wanted.field_id, changeset.submitted_on as "on",
        changeset.changes -> wanted.field_id::text as value
      from unnest(${wanted.map(({ artifact }) => artifact)}::bigint[], ${wanted.map(({ field }) => field)}::bigint[])
          as wanted (artifact_id, field_id)
        join changeset on changeset.artifact_id = wanted.artifact_id
      where changeset.changes ? wanted.field_id::text
      order by changeset.version`.execute(db)
    for (const row of rows) {
      const key = `${row.artifact_id} ${row.field_id}`
      const known = entries.get(key)
      if (known) known.push(row)
      else entries.set(key, [row])
    }
  }
  return {
    at: (artifact, field, moment) => entries.get(`${artifact} ${field}`)?.findLast(({ on }) => on <= moment)?.value,
  }
}
