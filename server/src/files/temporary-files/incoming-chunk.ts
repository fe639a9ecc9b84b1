import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import type { Tx } from '../../platform/database/db.ts'
import type { WriteContext } from '../../platform/http/write-context.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { MAX_CHUNK_BYTES } from '../chunk.ts'
import type { FileId } from '../file.ts'
import { putBlob } from '../put-blob.ts'
import { PIECES_REMOVAL, removePieces } from '../remove-pieces.ts'
import { pieceKey } from '../store/blob-store.ts'

const MAX_BASE64_LENGTH = Math.ceil(MAX_CHUNK_BYTES / 3) * 4

/** A chunk that no file references yet. */
export interface IncomingChunk {
  readonly size: number
  readonly digest: string
  /** Its key in the store; null if there is nothing to store. */
  readonly key: string | null
}

/** Decodes a chunk strictly. */
export function parseChunk(content: string): Buffer {
  if (content.length > MAX_BASE64_LENGTH) throw tooLarge()
  const bytes = Buffer.from(content, 'base64')
  // The decoder ignores invalid characters and accepts the URL-safe alphabet; the round trip detects both.
  if (bytes.toString('base64') !== content) throw new ApiError('value_invalid', { path: 'content', cause: 'base64' })
  if (bytes.length > MAX_CHUNK_BYTES) throw tooLarge()
  return bytes
}

function tooLarge(): ApiError {
  return new ApiError('parameter_out_of_range', {
    path: 'content',
    rule: 'maximum',
    allowed: { maximum: MAX_CHUNK_BYTES },
  })
}

export function chunkDigest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Stores a chunk before the transaction that gives it to a file; a dry run stores nothing. */
export async function storeChunk(context: Context, bytes: Buffer, isDryRun: boolean): Promise<IncomingChunk> {
  if (bytes.length === 0) return { size: 0, digest: chunkDigest(bytes), key: null }
  const key = randomUUID()
  if (isDryRun) return { size: bytes.length, digest: chunkDigest(bytes), key }
  const { size, digest } = await putBlob(context, pieceKey(key), Readable.from([bytes]))
  failpoint('file.stored')
  return { size, digest, key }
}

/** Runs the step that gives a chunk to a file; if it is refused, deletes the chunk from the store. */
export async function removeChunkIfRefused<T>(
  context: Context,
  work: WriteContext,
  { key }: IncomingChunk,
  record: () => Promise<T>,
): Promise<T> {
  try {
    return await record()
  } catch (error) {
    // Other failures may be retried with the same chunk.
    if (error instanceof ApiError && key !== null) work.evenIfRefused(() => removePieces(context, [key]))
    throw error
  }
}

/** Deletes a chunk that turned out to be unnecessary. */
export async function dropChunk(work: WriteContext, { key }: IncomingChunk): Promise<void> {
  if (key !== null) await work.enqueue({ type: PIECES_REMOVAL, payload: { keys: [key] } })
}

export async function recordChunk(
  tx: Tx,
  file_id: FileId,
  at: number,
  { size, digest, key }: IncomingChunk,
): Promise<void> {
  if (key !== null)
    await sql`
      insert into file_piece (file_id, at, size, digest, key)
      values (${file_id}, ${at}, ${size}, ${digest}, ${key})`.execute(tx)
  failpoint('file.recorded')
}
