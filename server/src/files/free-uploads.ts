import { sql } from 'kysely'
import type { ExportSource } from '../accounts/exports/export-source.ts'
import { apiDate } from '../platform/wire/dates.ts'
import type { AccountId } from '../platform/http/viewer.ts'
import type { Work } from '../platform/http/work.ts'
import type { FileId, StoredFile } from './file.ts'
import { fileColumns, isFree } from './find-files.ts'
import { releaseFiles } from './release-files.ts'

/** Nobody else ever sees them: they go with the person. What is attached belongs to its artifact. */
export async function eraseUploads({ tx }: Work, account: AccountId): Promise<void> {
  const { rows } = await sql<{ id: FileId }>`
    select id from file where uploader_id = ${account} and not is_attached order by id for update`.execute(tx)
  await releaseFiles(
    tx,
    rows.map(({ id }) => id),
  )
}

/** What a person has uploaded and nothing has yet. */
export const uploadsExport: ExportSource = {
  name: 'uploads',
  async read(tx, { clock }, { account_id }) {
    const { rows } = await sql<StoredFile>`
      select ${fileColumns} from file where ${isFree(account_id, clock.now())} order by id`.execute(tx)
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
