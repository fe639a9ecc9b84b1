import { sql } from 'kysely'
import type { ExportSource } from '../accounts/exports/export-source.ts'
import { apiDate } from '../platform/wire/dates.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { WriteContext } from '../platform/http/write-context.ts'
import type { FileId, StoredFile } from './file.ts'
import { fileColumns, isUnattached } from './find-files.ts'
import { releaseFiles } from './release-files.ts'

/**
 * Free files are visible to their uploader only, so they are deleted with the account. Attached files belong to their
 * artifact.
 */
export async function eraseUploads({ tx }: WriteContext, account: AccountId): Promise<void> {
  const { rows } = await sql<{ id: FileId }>`
    select id from file where uploader_id = ${account} and not is_attached order by id for update`.execute(tx)
  await releaseFiles(
    tx,
    rows.map(({ id }) => id),
  )
}

/** The unattached uploads of an account. */
export const uploadsExport: ExportSource = {
  name: 'uploads',
  async read(tx, { clock }, { account_id }) {
    const { rows } = await sql<StoredFile>`
      select ${fileColumns} from file where ${isUnattached(account_id, clock.now())} order by id`.execute(tx)
    return rows.map(({ id, name, media_type, description, size, received, created_on, expires_on }) => ({
      id,
      name,
      type: media_type,
      description,
      size,
      received,
      created_on: apiDate(created_on),
      expires_on: expires_on && apiDate(expires_on),
    }))
  },
}
