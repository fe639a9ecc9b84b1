import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { TextFormat } from '../../platform/texts/render-text.ts'
import type { TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'

/** A version as the platform itself knows it, whoever may read it. */
export interface ToldVersion {
  readonly artifact_id: ArtifactId
  /** Where the artifact is now. */
  readonly tracker_id: TrackerId
  readonly version: number
  readonly submitted_by: AccountId | null
  readonly comment: string | null
  readonly comment_format: TextFormat | null
  readonly comment_groups: readonly number[] | null
  /** Who had commented on the artifact before. */
  readonly commented_by: readonly AccountId[]
}

/** What stands behind events on artifacts. Those that are gone are left out. */
export async function findToldVersions(
  db: Db | Tx,
  wanted: readonly { readonly artifact: ArtifactId; readonly version: number }[],
): Promise<ToldVersion[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<ToldVersion>`
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
