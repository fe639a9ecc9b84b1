import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import type { Tx } from '../../platform/database/db.ts'
import type { Work } from '../../platform/http/work.ts'
import type { Context } from '../../platform/operation/context.ts'
import { ApiError } from '../../platform/words/errors.ts'
import { CHUNK } from '../chunk.ts'
import type { FileId } from '../file.ts'
import { putBlob } from '../put-blob.ts'
import { PIECES_REMOVAL, removePieces } from '../remove-pieces.ts'
import { pieceKey } from '../store/blob-store.ts'

const LONGEST = Math.ceil(CHUNK / 3) * 4

/** A chunk that no file has yet. */
export interface IncomingChunk {
  readonly size: number
  readonly digest: string
  /** Its name in the store; null: there is nothing to store. */
  readonly key: string | null
}

/** The bytes of a chunk: nothing is guessed, and nothing is left out. */
export function readBase64(content: string): Buffer {
  if (content.length > LONGEST) throw tooLarge()
  const bytes = Buffer.from(content, 'base64')
  // What the decoder passes over, and what it understands in another alphabet, does not come back.
  if (bytes.toString('base64') !== content) throw new ApiError('value_invalid', { path: 'content', cause: 'base64' })
  if (bytes.length > CHUNK) throw tooLarge()
  return bytes
}

function tooLarge(): ApiError {
  return new ApiError('parameter_out_of_range', { path: 'content', rule: 'maximum', allowed: { maximum: CHUNK } })
}

export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Brings a chunk into the store, before a transaction begins that gives it to a file; for a dry run it only says so. */
export async function storeChunk(context: Context, bytes: Buffer, isDryRun: boolean): Promise<IncomingChunk> {
  if (bytes.length === 0) return { size: 0, digest: digestOf(bytes), key: null }
  const key = randomUUID()
  if (isDryRun) return { size: bytes.length, digest: digestOf(bytes), key }
  const { size, digest } = await putBlob(context, pieceKey(key), Readable.from([bytes]))
  failpoint('file.stored')
  return { size, digest, key }
}

/** Runs what gives a chunk to a file; if that is refused, the chunk leaves the store again. */
export async function orRemove<T>(
  context: Context,
  work: Work,
  { key }: IncomingChunk,
  record: () => Promise<T>,
): Promise<T> {
  try {
    return await record()
  } catch (error) {
    // Other failures may be repeated, with the same chunk.
    if (error instanceof ApiError && key !== null) work.evenIfRefused(() => removePieces(context, [key]))
    throw error
  }
}

/** A chunk that turned out not to be needed. */
export async function dropChunk(work: Work, { key }: IncomingChunk): Promise<void> {
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
