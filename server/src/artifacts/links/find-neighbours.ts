import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { ArtifactId } from '../artifact.ts'

/** An artifact that was written, and the first version since somebody last looked. */
export interface Written {
  readonly id: ArtifactId
  readonly version: number | null
}

/**
 * All artifacts that so many links lead to from these, whichever way, whoever may see them; and from these also those
 * that a link led to until it was taken away.
 */
export async function findNeighbours(
  tx: Tx,
  written: readonly Written[],
  depth: number,
  limit: number,
): Promise<ArtifactId[]> {
  const { rows } = await sql<{ id: ArtifactId }>`
    with recursive written as materialized (
      select * from unnest(${written.map(({ id }) => id)}::bigint[], ${written.map(({ version }) => version)}::bigint[])
        as each (id, version)
    ), near (id, depth) as (
      select written.id, 0 from written
      union
      select held.key::bigint, 1 from written join changeset on changeset.artifact_id = written.id
        cross join lateral jsonb_each(changeset.changes) as field
        cross join lateral jsonb_each_text(case when ${isLinks} then field.value else '{}' end) as held
      where held.key ~ '^[0-9]+$' and changeset.version >= coalesce((
        select max(before.version) from changeset before cross join lateral jsonb_each(before.changes) as field
        where before.artifact_id = written.id and before.version < written.version and ${isLinks}), 0)
      union
      select next.id, near.depth + 1 from near cross join lateral (
        select link.target_id as id from artifact_link link where link.source_id = near.id
        union all
        select link.source_id from artifact_link link where link.target_id = near.id
      ) next where near.depth < ${depth}
    )
    select distinct near.id from near limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** It is the only kind of value that is an object of types by id. */
const isLinks = sql`(jsonb_typeof(field.value) = 'object' and not field.value ? 'content')`
