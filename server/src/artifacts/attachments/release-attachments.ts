import { sql } from 'kysely'
import type { FileId } from '../../files/file.ts'
import { releaseFiles } from '../../files/release-files.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { ArtifactId } from '../artifact.ts'

interface Released {
  readonly file_id: FileId
}

/** Releases the files of removed artifacts, except those that an archive holds. */
export async function releaseAttachments(tx: Tx, artifacts: readonly ArtifactId[]): Promise<void> {
  const { rows } = await sql<Released>`
    delete from artifact_file where artifact_id = any(${artifacts}::bigint[]) returning file_id`.execute(tx)
  await releaseUnheld(tx, rows)
}

/** The same for expired archives. */
export async function releaseArchived(tx: Tx, archives: readonly number[]): Promise<void> {
  const { rows } = await sql<Released>`
    delete from archive_file where archive_id = any(${archives}::bigint[]) returning file_id`.execute(tx)
  await releaseUnheld(tx, rows)
}

async function releaseUnheld(tx: Tx, left: readonly Released[]): Promise<void> {
  if (left.length === 0) return
  const { rows } = await sql<Released>`
    select distinct left_one.file_id from unnest(${left.map(({ file_id }) => file_id)}::bigint[]) as left_one (file_id)
    where not exists (select from artifact_file where artifact_file.file_id = left_one.file_id)
      and not exists (select from archive_file where archive_file.file_id = left_one.file_id)`.execute(tx)
  await releaseFiles(
    tx,
    rows.map(({ file_id }) => file_id),
  )
}
