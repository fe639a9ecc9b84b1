import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isBlobKey, requireBlobKey } from './blob-keys.ts'
import { type BlobKey, type BlobStore, NoSuchBlob } from './blob-store.ts'
import { asStoreFull, errorCode, writeHashed } from './write-hashed.ts'

/** Blobs as files in a folder, which is created with the first write. Partial writes are in `tmp`. */
export function createDiskStore(folder: string): BlobStore {
  const makeFolder = createFolderMaker()
  const blobPath = (key: BlobKey) => {
    requireBlobKey(key)
    return join(folder, key)
  }
  return {
    async put(key, content) {
      const place = blobPath(key)
      const temporary = join(folder, 'tmp', randomUUID())
      try {
        await makeFolder(dirname(temporary))
        await makeFolder(dirname(place))
        const { size, digest } = await writeDurably(temporary, content)
        await rename(temporary, place)
        await syncFolder(dirname(place))
        return { size, digest }
      } catch (error) {
        content.destroy()
        await rm(temporary, { force: true })
        throw asStoreFull(error)
      }
    },

    async get(key, range) {
      const file = await open(blobPath(key)).catch(refuseMissing(key))
      try {
        const { size } = await file.stat()
        if (range && range.last >= size) throw new RangeError(`${key} has ${size} bytes, and no byte ${range.last}.`)
        return file.createReadStream(range ? { start: range.first, end: range.last } : { start: 0 })
      } catch (error) {
        await file.close()
        throw error
      }
    },

    async sizeOf(key) {
      const found = await stat(blobPath(key)).catch(undefinedIfMissing)
      return found?.size
    },

    async move(from, to) {
      const [source, target] = [blobPath(from), blobPath(to)]
      try {
        await makeFolder(dirname(target))
        await rename(source, target).catch(refuseMissing(from))
        await syncFolder(dirname(target))
        await syncFolder(dirname(source))
      } catch (error) {
        throw asStoreFull(error)
      }
    },

    async remove(key) {
      await rm(blobPath(key), { force: true })
    },

    async *list(kind) {
      for await (const path of filesBelow(folder, kind)) {
        if (!isBlobKey(path)) continue
        const found = await stat(join(folder, path)).catch(undefinedIfMissing)
        if (found) yield { key: path, size: found.size, modified: found.mtime }
      }
    },

    async sweep(before) {
      for await (const path of filesBelow(folder, 'tmp')) {
        const found = await stat(join(folder, path)).catch(undefinedIfMissing)
        if (found && found.mtime < before) await rm(join(folder, path), { force: true })
      }
    },
  }
}

async function writeDurably(path: string, content: Parameters<BlobStore['put']>[1]) {
  const file = await open(path, 'wx', 0o600)
  try {
    const written = await writeHashed(file, content)
    await file.sync()
    return written
  } finally {
    await file.close()
  }
}

/** Creates folders durably (fsync). Each folder is synced once per process, even if another process created it. */
function createFolderMaker(): (folder: string) => Promise<void> {
  const synced = new Set<string>()
  return async (folder) => {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (first === undefined && synced.has(folder)) return
    const top = first ?? folder
    for (let made = folder; made.length >= top.length; made = dirname(made)) await syncFolder(dirname(made))
    synced.add(folder)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Paths relative to the store, streamed: a folder can contain millions of files. */
async function* filesBelow(folder: string, path: string): AsyncGenerator<string> {
  const entries = await opendir(join(folder, path)).catch(undefinedIfMissing)
  for await (const entry of entries ?? noEntries()) {
    const below = `${path}/${entry.name}`
    if (entry.isDirectory()) yield* filesBelow(folder, below)
    else if (entry.isFile()) yield below
  }
}

async function* noEntries(): AsyncGenerator<Dirent> {}

function undefinedIfMissing(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
}

function refuseMissing(key: BlobKey): (error: unknown) => never {
  return (error) => {
    throw errorCode(error) === 'ENOENT' ? new NoSuchBlob(key, { cause: error }) : error
  }
}
