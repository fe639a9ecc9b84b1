import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../../platform/operation/config.ts'
import type { DiagnosticFinding } from '../../platform/operation/diagnosis.ts'
import { pieceKey } from './blob-store.ts'
import { openStore } from './open-store.ts'

/** Checks that the file store can write, read and delete. Leaves nothing behind. */
export async function checkFileStore({ config }: { readonly config: Config }): Promise<DiagnosticFinding> {
  try {
    return await tryStore(config)
  } catch (error) {
    // S3 servers put the cause into the error name, often with an empty message.
    throw error instanceof Error ? new Error(`${storeAddress(config)}: ${error.name}: ${error.message}`) : error
  }
}

async function tryStore(config: Config): Promise<DiagnosticFinding> {
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
