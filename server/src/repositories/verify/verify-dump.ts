import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../platform/operation/context.ts'
import { deletedRepositoryFolder, type SvnFolders, repositoryFolder } from '../disk/svn-folders.ts'
import { readRepositoryId } from '../disk/move-to-trash.ts'
import { findTrashedRepository } from '../trash/trashed-repository.ts'
import type { RepositoryId } from '../repository.ts'

/** Whether a deleted repository could be restored: from its dump, or from its folder if there is no dump yet. */
export async function findDumpFaults(
  { db }: Context,
  places: SvnFolders,
  { id }: { readonly id: RepositoryId },
): Promise<string[]> {
  const trashed = await findTrashedRepository(db, id)
  if (!trashed) return [] // It was restored or purged meanwhile.
  if (trashed.dump_file === null) {
    const folders = [repositoryFolder(places, trashed), deletedRepositoryFolder(places, id)]
    const ids = await Promise.all(folders.map(readRepositoryId))
    return ids.includes(String(id)) ? [] : ['neither its folder nor a dump is there']
  }
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(join(places.deleted, trashed.dump_file)), hash)
  } catch {
    return ['its dump cannot be read']
  }
  return hash.digest('hex') === trashed.dump_sha256 ? [] : ['its dump is damaged']
}
