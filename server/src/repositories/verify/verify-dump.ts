import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../platform/operation/context.ts'
import { deletedIn, type Places, repositoryIn } from '../disk/places.ts'
import { idIn } from '../disk/set-aside.ts'
import { findTrashed } from '../trash/trashed-repository.ts'
import type { RepositoryId } from '../repository.ts'

/** Whether a repository in the trash could be restored: by its dump, or by its folder where none was made yet. */
export async function faultOfDump(
  { db }: Context,
  places: Places,
  { id }: { readonly id: RepositoryId },
): Promise<string[]> {
  const trashed = await findTrashed(db, id)
  if (!trashed) return [] // It was restored or purged meanwhile.
  if (trashed.dump_file === null) {
    const folders = [repositoryIn(places, trashed), deletedIn(places, id)]
    const ids = await Promise.all(folders.map(idIn))
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
