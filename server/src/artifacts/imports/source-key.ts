import { type RawBuilder, sql } from 'kysely'

// The key of an imported artifact in its source: `ABC-123`. Case-sensitive.

/** After `select`: the ids of all artifacts with this key, visible or not. */
export function artifactsByKey(key: string): RawBuilder<unknown> {
  return sql`imported_artifact.artifact_id from imported_artifact where imported_artifact.source_key = ${key}`
}

/** Whether the row of `artifact` has this key. */
export function hasSourceKey(key: string): RawBuilder<boolean> {
  return sql`exists (select from imported_artifact
    where imported_artifact.artifact_id = artifact.id and imported_artifact.source_key = ${key})`
}
