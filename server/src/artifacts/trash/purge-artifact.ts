import { sql } from 'kysely'
import { requireSiteAdmin } from '../../accounts/refusals.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Work } from '../../platform/http/work.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ArtifactId } from '../artifact.ts'
import { releaseAttachments } from '../attachments/release-attachments.ts'
import { writeOrdered } from './archives/write-archive.ts'
import { findDeleted } from './find-deleted.ts'

/** Removes what is in the trash at once, before its time; an archive of it that is still to be written is written now. */
export async function purgeFromTrash(context: Context, work: Work, viewer: Viewer, id: ArtifactId): Promise<void> {
  const { tx } = work
  const found = await findDeleted({ context, tx, viewer, id }, { inDeletedTrackers: true }, () =>
    requireSiteAdmin(viewer),
  )
  requireSiteAdmin(viewer)
  await writeOrdered(context, tx, id)
  await purgeArtifacts(tx, [id])
  const { project_id, tracker_id, version } = found
  const object = `artifacts/${id}`
  await work.change({ action: 'artifact.purge', object, op: 'delete', project_id, before: { tracker_id, version } })
  await work.tell({ type: 'artifact.purged', object, project_id, payload: { tracker_id } })
}

/** Removes artifacts with everything that hangs on them. What others wrote about them stays theirs. */
export async function purgeArtifacts(tx: Tx, ids: readonly ArtifactId[]): Promise<void> {
  await releaseAttachments(tx, ids)
  for (const table of ['value_index', 'number_index', 'artifact_reference', 'artifact_words', 'changeset'] as const)
    await tx.deleteFrom(table).where('artifact_id', 'in', ids).execute()
  await sql`delete from artifact_link where source_id = any(${ids}::bigint[]) or target_id = any(${ids}::bigint[])`.execute(
    tx,
  )
  await tx.deleteFrom('artifact').where('id', 'in', ids).execute()
}
