import { sql } from 'kysely'
import type { AccountId } from '../../../platform/http/viewer.ts'
import type { WriteContext } from '../../../platform/http/write-context.ts'
import type { Tracker } from '../../../trackers/tracker.ts'
import type { Artifact } from '../../artifact.ts'

export const ARCHIVE_JOB = 'artifact_archive'

/** Queues the archive in the transaction of the deletion, so that it cannot be lost. */
export async function enqueueArchive(
  work: WriteContext,
  { id, project_id }: Artifact,
  tracker: Tracker,
  { deleted_by, deleted_on }: { deleted_by: AccountId; deleted_on: Date },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into artifact_archive (project_id, tracker_id, artifact_id, xref, tracker_label, deleted_by, deleted_on)
    values (${project_id}, ${tracker.id}, ${id}, ${`${tracker.item_name} #${id}`}, ${tracker.label}, ${deleted_by},
      ${deleted_on})
    returning id`.execute(work.tx)
  for (const row of rows)
    await work.enqueue({ type: ARCHIVE_JOB, payload: { archive_id: row.id }, object: `artifacts/${id}` })
}
