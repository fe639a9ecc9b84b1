import { type RawBuilder, sql } from 'kysely'
import type { FindByKeys, KeyTarget } from '../../projects/references/source-keys.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'

// The key of an imported artifact in its source: `ABC-123`. Case-sensitive.

const MAX_TARGETS_PER_KEY = 20
const MAX_FOUND_BY_KEYS = 5000

/**
 * After `lateral`: the artifacts that a key in a text of another artifact may mean, visible or not. The nearest and
 * earliest imports come first, so that later ones cannot displace them.
 */
export function keyTargets(
  key: RawBuilder<unknown>,
  { id, project_id }: { id: RawBuilder<unknown>; project_id: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return sql`(select named.artifact_id, named.project_id from imported_artifact named
    where named.source_key = ${key} and named.artifact_id <> ${id}
    order by named.project_id <> ${project_id}, named.imported_on, named.artifact_id limit ${MAX_TARGETS_PER_KEY})`
}

export const findByKeys: FindByKeys = async (db, viewer, keys) => {
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<KeyTarget>`
    select imported_artifact.source_key as key, artifact.id, artifact.project_id
    from imported_artifact join artifact on artifact.id = imported_artifact.artifact_id ${joined}
    where imported_artifact.source_key = any(${keys}::text[]) and ${maySeeArtifact(viewer, joined)}
    order by artifact.id limit ${MAX_FOUND_BY_KEYS}`.execute(db)
  return rows
}

/** After `select`: the ids of all artifacts with this key, visible or not. */
export function artifactsByKey(key: string): RawBuilder<unknown> {
  return sql`imported_artifact.artifact_id from imported_artifact where imported_artifact.source_key = ${key}`
}

/** Whether the row of `artifact` has this key. */
export function hasSourceKey(key: string): RawBuilder<boolean> {
  return sql`exists (select from imported_artifact
    where imported_artifact.artifact_id = artifact.id and imported_artifact.source_key = ${key})`
}
