import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { failpoint } from '#failpoint'
import { inTransaction } from '../platform/database/db.ts'
import type { Context } from '../platform/operation/context.ts'
import type { DigestCheck } from '../platform/wire/content-digest.ts'
import { ApiError } from '../platform/words/errors.ts'
import type { StoredFile } from './file.ts'
import { endOf } from './lease.ts'
import { putBlob } from './put-blob.ts'
import { removePieces } from './remove-pieces.ts'
import { pieceKey } from './store/blob-store.ts'

/** What is lost at most when the process is killed. */
const PIECE = 16 * 2 ** 20

/**
 * Appends what comes to a file that was announced, piece by piece: each is durable before the file counts it. Returns how
 * much of the file is there now. A connection that breaks off leaves what has come; a body that is longer than what is
 * left leaves nothing. So does one that is not what its digest says: that is known at its end, so it is one piece at most.
 */
export async function appendPieces(
  context: Context,
  file: StoredFile,
  body: Readable,
  writer: string,
  check?: DigestCheck,
): Promise<number> {
  const room = Math.min(file.size - file.received, check ? PIECE : Number.POSITIVE_INFINITY)
  const source = createSource(body, room, check)
  let { received } = file
  while (await source.hasMore()) {
    const key = randomUUID()
    try {
      const { size, digest } = await putBlob(context, pieceKey(key), Readable.from(source.next(PIECE)))
      failpoint('file.stored')
      if (source.isTooLong()) throw new ApiError('payload_too_large', { allowed: { maximum: room } })
      check?.verify()
      if (!(await recordPiece(context, file, writer, { at: received, size, digest, key })))
        throw new ApiError('upload_locked')
      failpoint('file.recorded')
      received += size
    } catch (error) {
      if (error instanceof ApiError) await takeBack(context, file, writer, key)
      throw error
    }
  }
  if (received === file.received) check?.verify() // Not even its first byte has come.
  return received
}

/** False: the lease was lost, or the file is gone. */
async function recordPiece(
  { db, clock }: Context,
  { id }: StoredFile,
  writer: string,
  { at, size, digest, key }: { at: number; size: number; digest: string; key: string },
): Promise<boolean> {
  const { rows } = await sql`
    with moved as (
      update file set received = ${at + size}, writing_until = ${endOf(clock.now())}
      where id = ${id} and writer = ${writer} and received = ${at} and not is_attached returning id
    )
    insert into file_piece (file_id, at, size, digest, key)
    select moved.id, ${at}, ${size}, ${digest}, ${key} from moved returning at`.execute(db)
  return rows.length === 1
}

/** The file as it was before this request, unless somebody else writes it meanwhile. */
async function takeBack(context: Context, { id, received }: StoredFile, writer: string, newest: string): Promise<void> {
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

interface Source {
  hasMore(): Promise<boolean>
  /** So many bytes, or all that come. The last of them waits for the end of the body. */
  next(limit: number): AsyncGenerator<Buffer>
  isTooLong(): boolean
}

/** Cuts a body. That it broke off looks like its end: what has come counts. */
function createSource(body: Readable, room: number, check: DigestCheck | undefined): Source {
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
