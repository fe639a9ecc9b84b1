import { sql } from 'kysely'
import type { Cleaner } from '../../platform/jobs/clean-up.ts'
import { releaseArchived } from '../attachments/release-attachments.ts'

const DAY = 86_400_000

/** Deletions that no limit counts any more, and archives that are past their time: of those the row stays. */
export const cleanTrash: Cleaner = async (tx, { settings }, now) => {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  await sql`delete from artifact_deletion where deleted_on <= ${before(DAY)}`.execute(tx)
  const { archive_retention_days } = settings.current
  if (archive_retention_days === 0) return
  const { rows } = await sql<{ id: number }>`
    update artifact_archive set document = null, people = null
    where written_on <= ${before(archive_retention_days * DAY)} and document is not null returning id`.execute(tx)
  await releaseArchived(
    tx,
    rows.map(({ id }) => id),
  )
}
