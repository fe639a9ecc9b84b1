import { type RawBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import { hiddenError } from '../../accounts/auth-errors.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { parseId } from '../../platform/database/ids.ts'
import type { Param } from '../../platform/http/route.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import type { ArtifactId } from '../artifact.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'

/** The key of an imported artifact in its source: `ABC-123`. */
interface SourceKey {
  readonly key: string
}

const MAX_CANDIDATES = 20

/** An artifact in a path: its id, or `@` and the key that it had in the source of an import. */
export const artifactParam: Param<ArtifactId | SourceKey> = {
  schema: Type.Union([Type.Integer(), Type.String({ pattern: '^@[^\\s/]{1,255}$' })], {
    description: 'The artifact: its id, or `@` and its source key, such as `@ABC-123`. Several matches: 409.',
  }),
  parse: (text, name) => (/^@./.test(text) ? { key: text.slice(1) } : parseId(text, name)),
}

/** The artifact that the path names. A key resolves among visible artifacts only, and is case-sensitive. */
export async function resolveArtifact(db: Db | Tx, viewer: Viewer, named: ArtifactId | SourceKey): Promise<ArtifactId> {
  if (typeof named === 'number') return named
  const joined = joinTrackerProjectAndMemberships(viewer)
  const { rows } = await sql<{ id: ArtifactId; label: string }>`
    select artifact.id, project.shortname || ' / ' || tracker.item_name as label from artifact ${joined}
    where artifact.id = any(array(select ${artifactsByKey(named.key)})) and ${maySeeArtifact(viewer, joined)}
    order by artifact.id limit ${MAX_CANDIDATES}`.execute(db)
  const [first, second] = rows
  if (!first) throw hiddenError(viewer)
  if (second) throw new ApiError('key_ambiguous', { path: 'id', allowed: rows })
  return first.id
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
