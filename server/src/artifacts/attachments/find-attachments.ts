import { sql } from 'kysely'
import type { FileId } from '../../files/file.ts'
import { retryOnConflict } from '../../platform/operation/retry-on-conflict.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { accessVersion } from '../../trackers/load-tracker.ts'
import { getTrackerAccess } from '../../trackers/tracker-access.ts'
import type { FieldId, TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { joinTrackerProjectAndMemberships, maySeeArtifact } from '../visibility.ts'
import type { Asker } from '../reading/audience.ts'

/** The artifact and field that a file is or was attached to. */
export interface AttachmentLocation {
  readonly artifact_id: ArtifactId
  readonly field_id: FieldId
  /** The viewer sees the artifact, and may read the field. */
  readonly isReadable: boolean
}

interface Row {
  readonly file_id: FileId
  readonly artifact_id: ArtifactId
  readonly field_id: FieldId
  readonly tracker_id: TrackerId
  readonly stamp: string
  readonly is_seen: boolean | null
}

/** The attachments of these files; free files are omitted. One statement, plus cached trackers. */
export async function findAttachments(
  asker: Asker,
  ids: readonly FileId[],
): Promise<ReadonlyMap<FileId, AttachmentLocation>> {
  const { db, viewer } = asker
  if (ids.length === 0) return new Map()
  return retryOnConflict(async () => {
    const joined = joinTrackerProjectAndMemberships(viewer)
    const { rows } = await sql<Row>`
      select artifact_file.file_id, artifact_file.artifact_id, artifact_file.field_id, artifact.tracker_id,
        ${accessVersion} as stamp, ${maySeeArtifact(viewer, joined)} as is_seen
      from artifact_file join artifact on artifact.id = artifact_file.artifact_id ${joined}
      where artifact_file.file_id = any(${ids}::bigint[])`.execute(db)
    const found = new Map<FileId, AttachmentLocation>()
    for (const row of rows) {
      const isReadable = await mayRead(asker, row)
      if (isReadable === undefined) return undefined
      found.set(row.file_id, { artifact_id: row.artifact_id, field_id: row.field_id, isReadable })
    }
    return found
  })
}

/** Undefined if the tracker has changed since the row was read. */
async function mayRead({ context, db, viewer }: Asker, row: Row): Promise<boolean | undefined> {
  if (!row.is_seen) return false
  const tracker = await context.trackers.at(db, row.tracker_id, row.stamp)
  if (tracker?.stamp !== row.stamp) return undefined
  const { readable } = await getTrackerAccess(db, tracker, viewer)
  return readable.some((element) => element.id === row.field_id && fieldTypeOf(element).files)
}
