import { sql } from 'kysely'
import { requireSiteAdmin } from '../../accounts/auth-errors.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ArtifactId } from '../artifact.ts'
import { releaseAttachments } from '../attachments/release-attachments.ts'
import { writeQueuedArchives } from './archives/write-archive.ts'
import { findDeleted } from './find-deleted.ts'

/** Purges an artifact from the trash immediately; a queued archive of it is written first. */
export async function purgeFromTrash(
  context: Context,
  work: WriteContext,
  viewer: Viewer,
  id: ArtifactId,
): Promise<void> {
  const { tx } = work
  const found = await findDeleted({ context, tx, viewer, id }, { inDeletedTrackers: true }, () =>
    requireSiteAdmin(viewer),
  )
  requireSiteAdmin(viewer)
  await writeQueuedArchives(context, tx, id)
  await purgeArtifacts(tx, [id])
  const { project_id, tracker_id, version } = found
  const object = `artifacts/${id}`
  await work.change({ action: 'artifact.purge', object, op: 'delete', project_id, before: { tracker_id, version } })
  await work.recordEvent({ type: 'artifact.purged', object, project_id, payload: { tracker_id } })
}

/** Removes artifacts with all dependent rows. Texts of other artifacts that mention them stay. */
export async function purgeArtifacts(tx: Tx, ids: readonly ArtifactId[]): Promise<void> {
  await releaseAttachments(tx, ids)
  const tables = ['value_index', 'number_index', 'artifact_reference', 'artifact_words', 'changeset'] as const
  for (const table of [...tables, 'artifact_rank_change'] as const)
    await tx.deleteFrom(table).where('artifact_id', 'in', ids).execute()
  await sql`delete from artifact_link where source_id = any(${ids}::bigint[]) or target_id = any(${ids}::bigint[])`.execute(
    tx,
  )
  await tx.deleteFrom('artifact').where('id', 'in', ids).execute()
}
