import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { TextFormat } from '../../platform/rich-text/render-text.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'

/** A version as stored, without permission checks. */
export interface EventVersion {
  readonly artifact_id: ArtifactId
  /** The current tracker of the artifact. */
  readonly tracker_id: TrackerId
  readonly version: number
  readonly submitted_by: AccountId | null
  readonly comment: string | null
  readonly comment_format: TextFormat | null
  readonly comment_groups: readonly number[] | null
  /** Authors of earlier comments on the artifact. */
  readonly commented_by: readonly AccountId[]
}

/** The versions that artifact events refer to. Purged ones are omitted. */
export async function findEventVersions(
  db: Db | Tx,
  wanted: readonly { readonly artifact: ArtifactId; readonly version: number }[],
): Promise<EventVersion[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<EventVersion>`
    select artifact.id as artifact_id, artifact.tracker_id, changeset.version, artifact.submitted_by,
      changeset.comment, changeset.comment_format, changeset.comment_groups,
      array(select distinct earlier.submitted_by from changeset earlier
        where earlier.artifact_id = artifact.id and earlier.version < changeset.version
          and earlier.comment is not null and earlier.submitted_by is not null) as commented_by
    from unnest(${wanted.map(({ artifact }) => artifact)}::bigint[], ${wanted.map(({ version }) => version)}::integer[])
        as wanted (artifact_id, version)
      join artifact on artifact.id = wanted.artifact_id
      join changeset on changeset.artifact_id = artifact.id and changeset.version = wanted.version`.execute(db)
  return rows
}
