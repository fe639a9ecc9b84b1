import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { StoreFull } from './blob-store.ts'

export interface HashedContent {
  readonly size: number
  /** SHA-256, in hexadecimal digits. */
  readonly digest: string
  /** MD5 in base64, which S3 verifies. */
  readonly md5: string
}

/** Writes the input to an open file and hashes it. A broken input is an error. */
export async function writeHashed(file: FileHandle, content: Readable): Promise<HashedContent> {
  const sha256 = createHash('sha256')
  const md5 = createHash('md5')
  let size = 0
  async function* passing() {
    for await (const chunk of content) {
      const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
      sha256.update(bytes)
      md5.update(bytes)
      size += bytes.length
      yield bytes
    }
  }
  await file.writeFile(passing())
  return { size, digest: sha256.digest('hex'), md5: md5.digest('base64') }
}

/** Maps the errors of a full file system. */
export function asStoreFull(error: unknown): unknown {
  const code = errorCode(error)
  return code === 'ENOSPC' || code === 'EDQUOT' ? new StoreFull('The disk is full.', { cause: error }) : error
}

export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
