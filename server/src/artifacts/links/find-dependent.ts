import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { ArtifactId } from '../artifact.ts'

/** An artifact that was written, and the first version since somebody last looked. */
export interface Written {
  readonly id: ArtifactId
  readonly version: number | null
}

/** Which way links lead from an artifact to what it depends on. */
export interface Ways {
  readonly forward: boolean
  readonly reverse: boolean
}

/**
 * All artifacts that depend on these over links, and these themselves, whoever may see them; `levels`: the links of an
 * artifact itself first, then those of what is at their other ends. A link that was just taken away still counts.
 */
export async function findDependent(
  tx: Tx,
  written: readonly Written[],
  levels: readonly Ways[],
  limit: number,
): Promise<readonly ArtifactId[]> {
  const own = written.map(({ id }) => id)
  let reached: readonly ArtifactId[] = own
  for (const ways of levels.toReversed()) {
    const sources = [
      ...(ways.forward ? [linkingTo(reached)] : []),
      ...(ways.reverse ? [linkedFrom(reached), formerlyLinkedFrom(written)] : []),
    ]
    const { rows } = await sql<{ id: ArtifactId }>`
      select distinct near.id from (${sql.join(sources, sql` union all `)}) near limit ${limit}`.execute(tx)
    reached = [...new Set([...own, ...rows.map(({ id }) => id)])]
  }
  return reached
}

function linkingTo(ids: readonly ArtifactId[]): RawBuilder<unknown> {
  return sql`select link.source_id as id from artifact_link link where link.target_id = any(${ids}::bigint[])`
}

function linkedFrom(ids: readonly ArtifactId[]): RawBuilder<unknown> {
  return sql`select link.target_id as id from artifact_link link where link.source_id = any(${ids}::bigint[])`
}

/** What the versions since then, and the last one before them, said of links. */
function formerlyLinkedFrom(written: readonly Written[]): RawBuilder<unknown> {
  return sql`
    select held.key::bigint as id
    from unnest(${written.map(({ id }) => id)}::bigint[], ${written.map(({ version }) => version)}::bigint[])
        as written (id, version)
      join changeset on changeset.artifact_id = written.id
      cross join lateral jsonb_each(changeset.changes) as field
      cross join lateral jsonb_each_text(case when ${isLinks} then field.value else '{}' end) as held
    where held.key ~ '^[0-9]+$' and changeset.version >= coalesce((
      select max(before.version) from changeset before cross join lateral jsonb_each(before.changes) as field
      where before.artifact_id = written.id and before.version < written.version and ${isLinks}), 0)`
}

/** It is the only kind of value that is an object of types by id. */
const isLinks = sql`(jsonb_typeof(field.value) = 'object' and not field.value ? 'content')`
