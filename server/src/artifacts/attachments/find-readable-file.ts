import { hiddenError } from '../../accounts/auth-errors.ts'
import { type FileId, isWhole, type StoredFile } from '../../files/file.ts'
import { readFiles } from '../../files/find-files.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Viewer } from '../../platform/http/viewer.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { findAttachments } from './find-attachments.ts'

/**
 * Decides who may read a file. A free file is readable by its uploader. An attached or detached file is readable by
 * viewers who see the artifact and may read the field. For others it does not exist.
 */
export async function findReadableFile(context: Context, db: Db | Tx, viewer: Viewer, id: FileId): Promise<StoredFile> {
  const file = (await readFiles(db, [id])).get(id)
  if (file && (await mayRead(context, db, viewer, file))) return file
  if (viewer.account_id === undefined) throw hiddenError(viewer)
  throw new ApiError('not_found', { cause: 'file_not_found' })
}

async function mayRead(context: Context, db: Db | Tx, viewer: Viewer, file: StoredFile): Promise<boolean> {
  if (!file.is_attached) return isOwn(viewer, file) && isWhole(file) && !hasExpired(file, context.clock.now())
  const attachments = await findAttachments({ context, db, viewer }, [file.id])
  return attachments.get(file.id)?.isReadable === true
}

/** True if the viewer uploaded the file. */
export function isOwn({ account_id }: Viewer, { uploader_id }: StoredFile): boolean {
  return account_id !== undefined && uploader_id === account_id
}

/** An expired file counts as gone before the cleanup removes it. */
export function hasExpired({ expires_on }: StoredFile, now: Date): boolean {
  return expires_on !== null && expires_on <= now
}
