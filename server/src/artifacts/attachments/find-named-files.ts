import type { FileId, StoredFile } from '../../files/file.ts'
import { readFiles } from '../../files/find-files.ts'
import type { Asker } from '../writing/lookups.ts'
import { type Attachment, findAttachments } from './find-attachments.ts'

/** A file that a write names, and where it is attached already. */
export interface NamedFile {
  readonly file: StoredFile
  readonly attachment: Attachment | undefined
}

/** Those that exist, whoever may read them. */
export async function findNamedFiles(asker: Asker, ids: readonly FileId[]): Promise<ReadonlyMap<FileId, NamedFile>> {
  const files = await readFiles(asker.db, ids)
  const attachments = await findAttachments(asker, [...files.keys()])
  return new Map([...files].map(([id, file]) => [id, { file, attachment: attachments.get(id) }]))
}
