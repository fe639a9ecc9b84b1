import type { FileId } from '../../files/file.ts'
import { readFiles } from '../../files/find-files.ts'
import { type FileInfo, representFile } from '../../files/represent-file.ts'
import type { ReadContext } from '../../trackers/field-types/field-type.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { Element, StoredValues } from '../../trackers/tracker.ts'
import type { Audience } from './audience.ts'

/** Files that these fields hold in any of these states: one statement, or none without files. */
export async function findShownFiles(
  { db }: Pick<Audience, 'db'>,
  fields: Iterable<Element>,
  states: readonly StoredValues[],
): Promise<ReadContext['file']> {
  const ids = new Set<FileId>()
  for (const element of fields) {
    const { files } = fieldTypeOf(element)
    if (files) for (const state of states) for (const id of files(state[String(element.id)])) ids.add(id)
  }
  const shown = new Map<FileId, FileInfo>()
  for (const [id, file] of await readFiles(db, [...ids])) shown.set(id, representFile(file, { isTemporary: false }))
  return (id) => shown.get(id)
}
