import { sql } from 'kysely'
import type { Cleaner } from '../../platform/jobs/clean-up.ts'
import { releaseArchived } from '../attachments/release-attachments.ts'

const DAY_MS = 86_400_000

/** Removes deletions older than the limit window, and the content of expired archives; their rows stay. */
export const cleanTrash: Cleaner = async (tx, { settings }, now) => {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await sql`delete from artifact_deletion where deleted_on <= ${before(DAY_MS)}`.execute(tx)
  const { archive_retention_days } = settings.current
  if (archive_retention_days === 0) return
  const { rows } = await sql<{ id: number }>`
    update artifact_archive set document = null, people = null
    where written_on <= ${before(archive_retention_days * DAY_MS)} and document is not null returning id`.execute(tx)
  await releaseArchived(
    tx,
    rows.map(({ id }) => id),
  )
}
