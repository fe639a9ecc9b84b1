import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { ArtifactId } from '../artifact.ts'

/** A written artifact, and its first version since the last check. */
export interface WrittenArtifact {
  readonly id: ArtifactId
  readonly version: number | null
}

/** The link directions from an artifact to its dependencies. */
export interface LinkDirections {
  readonly forward: boolean
  readonly reverse: boolean
}

/**
 * These artifacts and all that depend on them over links, visible or not. `levels`: the link directions to follow, one
 * entry per link distance, nearest first. A link that was just removed still counts.
 */
export async function findDependentArtifacts(
  tx: Tx,
  written: readonly WrittenArtifact[],
  levels: readonly LinkDirections[],
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

/** Links held by the versions since then, and by the last one before them. */
function formerlyLinkedFrom(written: readonly WrittenArtifact[]): RawBuilder<unknown> {
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

/** Links are the only object value without `content`: a map from id to type. */
const isLinks = sql`(jsonb_typeof(field.value) = 'object' and not field.value ? 'content')`
