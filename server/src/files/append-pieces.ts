import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import { inTransaction } from '../platform/database/db.ts'
import type { Context } from '../platform/operation/context.ts'
import type { DigestCheck } from '../platform/wire/content-digest.ts'
import { ApiError } from '../platform/messages/errors.ts'
import type { StoredFile } from './file.ts'
import { leaseEnd } from './lease.ts'
import { putBlob } from './put-blob.ts'
import { removePieces } from './remove-pieces.ts'
import { pieceKey } from './store/blob-store.ts'

/** The maximum loss if the process is killed. */
const PIECE_BYTES = 16 * 2 ** 20

/**
 * Appends a body to an announced file in pieces; each piece is durable before the file counts it. Returns the number of
 * bytes received so far. A broken connection keeps the bytes received; a body that exceeds the remaining size keeps
 * nothing. A body with a digest is a single piece, because the digest is verified at its end.
 */
export async function appendPieces(
  context: Context,
  file: StoredFile,
  body: Readable,
  writer: string,
  check?: DigestCheck,
): Promise<number> {
  const room = Math.min(file.size - file.received, check ? PIECE_BYTES : Number.POSITIVE_INFINITY)
  const source = createPieceSource(body, room, check)
  let { received } = file
  while (await source.hasMore()) {
    const key = randomUUID()
    try {
      const { size, digest } = await putBlob(context, pieceKey(key), Readable.from(source.next(PIECE_BYTES)))
      failpoint('file.stored')
      if (source.isTooLong()) throw new ApiError('payload_too_large', { allowed: { maximum: room } })
      check?.verify()
      if (!(await recordPiece(context, file, writer, { at: received, size, digest, key })))
        throw new ApiError('upload_locked')
      failpoint('file.recorded')
      received += size
    } catch (error) {
      if (error instanceof ApiError) await rollBackPieces(context, file, writer, key)
      throw error
    }
  }
  if (received === file.received) check?.verify() // Not even the first byte was received.
  return received
}

/** False: the lease was lost, or the file was deleted. */
async function recordPiece(
  { db, clock }: Context,
  { id }: StoredFile,
  writer: string,
  { at, size, digest, key }: { at: number; size: number; digest: string; key: string },
): Promise<boolean> {
  const { rows } = await sql`
    with moved as (
      update file set received = ${at + size}, writing_until = ${leaseEnd(clock.now())}
      where id = ${id} and writer = ${writer} and received = ${at} and not is_attached returning id
    )
    insert into file_piece (file_id, at, size, digest, key)
    select moved.id, ${at}, ${size}, ${digest}, ${key} from moved returning at`.execute(db)
  return rows.length === 1
}

/** Restores the file to its state before this request, unless another writer has the lease. */
async function rollBackPieces(
  context: Context,
  { id, received }: StoredFile,
  writer: string,
  newest: string,
): Promise<void> {
  const keys = await inTransaction(context.db, async (tx) => {
    const { numAffectedRows } = await sql`
      update file set received = ${received} where id = ${id} and writer = ${writer}`.execute(tx)
    if (numAffectedRows !== 1n) return []
    const { rows } = await sql<{ key: string }>`
      delete from file_piece where file_id = ${id} and at >= ${received} returning key`.execute(tx)
    return rows.map(({ key }) => key)
  })
  await removePieces(context, [...keys, newest])
}

interface PieceSource {
  hasMore(): Promise<boolean>
  /** Up to `limit` bytes. The last byte is held back until the body ends. */
  next(limit: number): AsyncGenerator<Buffer>
  isTooLong(): boolean
}

/** Splits a body into pieces. A broken connection counts as the end: the bytes received are kept. */
function createPieceSource(body: Readable, room: number, check: DigestCheck | undefined): PieceSource {
  const incoming = body[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  let isOver = false
  let left = room
  const fill = async (): Promise<boolean> => {
    while (rest.length === 0 && !isOver) {
      const { value, done } = await incoming.next().catch(() => ({ value: undefined, done: true }))
      if (done) isOver = true
      else rest = Buffer.isBuffer(value) ? value : Buffer.from(value)
      check?.update(rest)
    }
    return rest.length > 0
  }
  return {
    hasMore: fill,
    async *next(limit) {
      for (let wanted = Math.min(limit, left); wanted > 0 && (await fill()); ) {
        const taken = rest.subarray(0, wanted)
        rest = rest.subarray(taken.length)
        wanted -= taken.length
        left -= taken.length
        yield taken
      }
      if (left === 0) await fill()
    },
    isTooLong: () => left === 0 && rest.length > 0,
  }
}
