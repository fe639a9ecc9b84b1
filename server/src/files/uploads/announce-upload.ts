import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { AccountId } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { StoredFile } from '../file.ts'
import { fileColumns, isUnattached } from '../find-files.ts'
import { reserveQuota } from '../quota.ts'

const UPLOAD_TTL_MS = 4 * 3_600_000

interface Announcement {
  readonly field_id: number
  readonly name: string
  readonly media_type: string
  readonly description: string
  readonly size: number
}

/**
 * Reserves quota for an announced upload. A repeated announcement by the same account resumes the unfinished upload;
 * those of other accounts are separate.
 */
export async function announceUpload(
  tx: Tx,
  context: Pick<Context, 'settings' | 'clock'>,
  account: AccountId,
  announced: Announcement,
): Promise<{ file: StoredFile; isNew: boolean }> {
  await reserveQuota(tx, context, account, 0) // Takes the account lock, which serializes concurrent announcements.
  const now = context.clock.now()
  const begun = await findBegun(tx, now, account, announced)
  if (begun) return { file: begun, isNew: false }
  const { field_id, name, media_type, description, size } = announced
  await reserveQuota(tx, context, account, size)
  const { rows } = await sql<StoredFile>`
    insert into file (uploader_id, field_id, name, media_type, description, size, created_on, expires_on)
    values (${account}, ${field_id}, ${name}, ${media_type}, ${description}, ${size}, ${now},
      ${new Date(now.getTime() + UPLOAD_TTL_MS)})
    returning ${fileColumns}`.execute(tx)
  const [file] = rows
  if (!file) throw new Error('An inserted file is not there.')
  return { file, isNew: true }
}

async function findBegun(
  tx: Tx,
  now: Date,
  account: AccountId,
  { field_id, name, size }: Announcement,
): Promise<StoredFile | undefined> {
  const { rows } = await sql<StoredFile>`
    select ${fileColumns} from file
    where ${isUnattached(account, now)} and file.field_id = ${field_id} and file.name = ${name} and file.size = ${size}
      and file.received < file.size order by file.id desc limit 1`.execute(tx)
  return rows[0]
}
