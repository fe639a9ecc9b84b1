import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { KEY_KEYWORD } from '../../projects/references/source-keys.ts'
import type { ImportId } from './import.ts'
import { keyTargets } from './source-key.ts'

/** A statement resolves the texts of this many artifacts, so that it ends in time. */
const ARTIFACTS_PER_STATEMENT = 1000

/**
 * Gives the source keys in imported texts their targets, because a text may name a key of a later line. Until then they
 * are references without a target, which are not shown; those that no artifact has are removed.
 */
export async function resolveImportedKeys(tx: Tx, id: ImportId): Promise<void> {
  for (let last: string | null = ''; last !== null; ) last = await resolveSome(tx, id, last)
}

/** Resolves the next artifacts after this key; the last key among them, or null if there are no more. */
async function resolveSome(tx: Tx, id: ImportId, after: string): Promise<string | null> {
  const target = keyTargets(sql`waiting.value`, { id: sql`waiting.artifact_id`, project_id: sql`waiting.project_id` })
  const { rows } = await sql<{ last: string | null }>`
    with part as materialized (
      select imported_artifact.artifact_id, imported_artifact.source_key from imported_artifact
      where imported_artifact.import_id = ${id} and imported_artifact.source_key > ${after}
      order by imported_artifact.source_key limit ${ARTIFACTS_PER_STATEMENT}
    ), waiting as (
      delete from artifact_reference using part
      where artifact_reference.artifact_id = part.artifact_id and artifact_reference.keyword = ${KEY_KEYWORD}
        and artifact_reference.target_id is null
      returning artifact_reference.*
    ), resolved as (
      insert into artifact_reference (project_id, artifact_id, field_id, changeset_id, ref, keyword, value, of_project, target_id)
      select waiting.project_id, waiting.artifact_id, waiting.field_id, waiting.changeset_id,
        waiting.ref || ' #' || named.artifact_id, waiting.keyword, waiting.value, named.project_id, named.artifact_id
      from waiting cross join lateral ${target} named
      on conflict do nothing
    )
    select max(part.source_key) as last from part`.execute(tx)
  return rows[0]?.last ?? null
}
