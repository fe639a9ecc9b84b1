import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../../platform/operation/config.ts'
import type { Finding } from '../../platform/operation/diagnosis.ts'
import { pieceKey } from './blob-store.ts'
import { openStore } from './open-store.ts'

/** Whether the file store takes, gives back and removes. Leaves nothing. */
export async function files({ config }: { readonly config: Config }): Promise<Finding> {
  try {
    return await tryStore(config)
  } catch (error) {
    // S3 servers put what they mean into the name, and often nothing into the message.
    throw error instanceof Error ? new Error(`${placeOf(config)}: ${error.name}: ${error.message}`) : error
  }
}

async function tryStore(config: Config): Promise<Finding> {
  const blobs = await openStore(config)
  const key = pieceKey(randomUUID())
  const sent = randomBytes(1024)
  try {
    await blobs.put(key, Readable.from([sent]))
    const isSame = sent.equals(await buffer(await blobs.get(key)))
    if (!isSame) return { what: 'files', state: 'wrong', detail: 'the store gave back other bytes' }
  } finally {
    await blobs.remove(key)
  }
  const isGone = (await blobs.sizeOf(key)) === undefined
  const detail = isGone ? placeOf(config) : 'the store did not remove'
  return { what: 'files', state: isGone ? 'ok' : 'wrong', detail }
}

function placeOf({ WAYPOST_FILES: place }: Config): string {
  return place.kind === 'disk' ? place.folder : `s3://${place.bucket}/${place.prefix}`
}
