import { sql } from 'kysely'
import type { FileId } from '../../files/file.ts'
import { untilUnchanged } from '../../platform/operation/until-unchanged.ts'
import { stamp } from '../../trackers/load-tracker.ts'
import { sightOf } from '../../trackers/sight.ts'
import type { FieldId, TrackerId } from '../../trackers/tracker.ts'
import type { ArtifactId } from '../artifact.ts'
import { itsPlaceFor, maySeeArtifact } from '../visibility.ts'
import type { Asker } from '../writing/lookups.ts'

/** Where a file is attached, or was. */
export interface Attachment {
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

/** Where these files are attached; those that are not are left out. One statement, and what is known of the trackers. */
export async function findAttachments(asker: Asker, ids: readonly FileId[]): Promise<ReadonlyMap<FileId, Attachment>> {
  const { db, viewer } = asker
  if (ids.length === 0) return new Map()
  return untilUnchanged(async () => {
    const { rows } = await sql<Row>`
      select artifact_file.file_id, artifact_file.artifact_id, artifact_file.field_id, artifact.tracker_id,
        ${stamp} as stamp, ${maySeeArtifact(viewer)} as is_seen
      from artifact_file join artifact on artifact.id = artifact_file.artifact_id ${itsPlaceFor(viewer)}
      where artifact_file.file_id = any(${ids}::bigint[])`.execute(db)
    const found = new Map<FileId, Attachment>()
    for (const row of rows) {
      const isReadable = await mayRead(asker, row)
      if (isReadable === undefined) return undefined
      found.set(row.file_id, { artifact_id: row.artifact_id, field_id: row.field_id, isReadable })
    }
    return found
  })
}

/** Undefined: the tracker has changed since the row was read. */
async function mayRead({ context, db, viewer }: Asker, row: Row): Promise<boolean | undefined> {
  if (!row.is_seen) return false
  const tracker = await context.trackers.at(db, row.tracker_id, row.stamp)
  if (tracker?.stamp !== row.stamp) return undefined
  const { readable } = await sightOf(db, tracker, viewer)
  return readable.some(({ id, type }) => id === row.field_id && type === 'file')
}
