import type { FileId, StoredFile } from '../../files/file.ts'
import { readFiles } from '../../files/find-files.ts'
import type { Asker } from '../reading/audience.ts'
import { type AttachmentLocation, findAttachments } from './find-attachments.ts'

/** A file that a write refers to, and its current attachment. */
export interface NamedFile {
  readonly file: StoredFile
  readonly attachment: AttachmentLocation | undefined
}

/** The files that exist, readable or not. */
export async function findNamedFiles(asker: Asker, ids: readonly FileId[]): Promise<ReadonlyMap<FileId, NamedFile>> {
  const files = await readFiles(asker.db, ids)
  const attachments = await findAttachments(asker, [...files.keys()])
  return new Map([...files].map(([id, file]) => [id, { file, attachment: attachments.get(id) }]))
}
