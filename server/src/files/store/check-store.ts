import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../../platform/operation/config.ts'
import type { DiagnosticFinding } from '../../platform/operation/diagnosis.ts'
import { findFolderFault, findFutureFolderFault } from '../../platform/operation/folder-access.ts'
import { pieceKey } from './blob-store.ts'
import { openStore } from './open-store.ts'

/**
 * Checks that this user can write, read and delete in the file store. On disk it only asks the file system: a folder that
 * it created would belong to the wrong user. On S3 it writes an object and removes it.
 */
export async function checkFileStore({ config }: { readonly config: Config }): Promise<DiagnosticFinding> {
  const { WAYPOST_FILES: place } = config
  if (place.kind === 'disk') return checkFolders(place.folder)
  try {
    return await tryBucket(config)
  } catch (error) {
    // S3 servers put the cause into the error name, often with an empty message.
    throw error instanceof Error ? new Error(`${storeAddress(config)}: ${error.name}: ${error.message}`) : error
  }
}

/** Each folder down to those of contents: one that was created by root lies between others that are right. */
async function checkFolders(folder: string): Promise<DiagnosticFinding> {
  const what = 'files'
  if (!(await stat(folder).catch(() => undefined))) {
    const fault = await findFutureFolderFault(folder)
    const detail = fault ?? `${folder} does not exist yet: the server will create it`
    return { what, state: fault === undefined ? 'ok' : 'wrong', detail }
  }
  const areas = ['tmp', 'pieces', 'content', 'previews'].map((name) => join(folder, name))
  const folders = [folder, ...areas, ...(await Promise.all(areas.map(subfolders))).flat()]
  const faults: string[] = []
  for (const each of folders) {
    if (each !== folder && !(await stat(each).catch(() => undefined))) continue
    const fault = await findFolderFault(each)
    if (fault !== undefined) faults.push(fault)
  }
  const [first, ...others] = faults
  if (first === undefined) return { what, state: 'ok', detail: folder }
  return { what, state: 'wrong', detail: others.length === 0 ? first : `${first}; and ${others.length} more` }
}

async function subfolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}

async function tryBucket(config: Config): Promise<DiagnosticFinding> {
  const blobs = await openStore(config)
  const key = pieceKey(randomUUID())
  const sent = randomBytes(1024)
  try {
    await blobs.put(key, Readable.from([sent]))
    const isSame = sent.equals(await buffer(await blobs.get(key)))
    if (!isSame) return { what: 'files', state: 'wrong', detail: 'the store returned different bytes' }
  } finally {
    await blobs.remove(key)
  }
  const isGone = (await blobs.sizeOf(key)) === undefined
  const detail = isGone ? storeAddress(config) : 'the store did not delete'
  return { what: 'files', state: isGone ? 'ok' : 'wrong', detail }
}

function storeAddress({ WAYPOST_FILES: place }: Config): string {
  return place.kind === 'disk' ? place.folder : `s3://${place.bucket}/${place.prefix}`
}
