import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ApiError } from '../messages/errors.ts'

const SEGMENT_BYTES = 16 * 1024 * 1024
const READ_BYTES = 64 * 1024

/** Disk space of one process for bytes that clients have not read yet. */
export interface SpoolBudget {
  readonly maxBytes: number
  usedBytes: number
}

interface Spool {
  /** Ends as the source does: after its last byte, or with its error after that. */
  readonly stream: Readable
  /**
   * Settles when the source is not read any more: it has ended or failed, or the client has disconnected. Never
   * rejects.
   */
  readonly filled: Promise<void>
}

interface Segment {
  readonly file: FileHandle
  bytes: number
}

/**
 * A queue on disk between a source that must be read quickly (it holds a database connection) and a client that may be
 * slow. Segments are unlinked while open and closed when read: a crash leaves nothing behind, and disk use is what the
 * client has not read yet. `errorTrailer` is sent if the source fails.
 */
export function spool(
  texts: AsyncIterable<string>,
  budget: SpoolBudget,
  errorTrailer: (error: unknown) => string,
): Spool {
  const segments: Segment[] = []
  let state: 'open' | 'ended' | { readonly error: unknown } = 'open'
  let changed = Promise.withResolvers<void>()
  const announce = () => {
    changed.resolve()
    changed = Promise.withResolvers<void>()
  }

  async function append(text: string, maxBytes: number): Promise<void> {
    const bytes = Buffer.from(text)
    if (budget.usedBytes + bytes.length > maxBytes) throw new ApiError('unavailable')
    let segment = segments.at(-1)
    if (!segment || segment.bytes >= SEGMENT_BYTES) segments.push((segment = await openSegment()))
    budget.usedBytes += bytes.length
    await segment.file.appendFile(bytes).catch((error: unknown) => {
      budget.usedBytes -= bytes.length
      throw error
    })
    segment.bytes += bytes.length
    announce()
  }

  async function fill(): Promise<void> {
    try {
      for await (const text of texts) {
        if (stream.destroyed) break
        await append(text, budget.maxBytes)
      }
      state = 'ended'
    } catch (error) {
      await append(errorTrailer(error), Number.POSITIVE_INFINITY).catch(() => {}) // The disk may be the cause.
      state = { error }
    }
    announce()
  }

  async function* read(): AsyncGenerator<Buffer> {
    for (let position = 0; ; ) {
      const [segment, next] = segments
      if (segment && position < segment.bytes) {
        const { buffer, bytesRead } = await segment.file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position)
        position += bytesRead
        yield buffer.subarray(0, bytesRead)
      } else if (segment && next) {
        segments.shift()
        position = 0
        await discard(segment)
      } else if (state === 'ended') return
      else if (state !== 'open') throw state.error
      else await changed.promise
    }
  }

  async function discard({ file, bytes }: Segment): Promise<void> {
    budget.usedBytes -= bytes
    await file.close()
  }

  // No read-ahead: an error would discard the buffer with the trailer.
  const stream = Readable.from(read(), { objectMode: false, highWaterMark: 1 })
  const closed = new Promise<void>((resolve) => {
    stream.once('close', resolve)
  })
  stream.once('close', announce)
  const filled = fill()
  void Promise.all([filled, closed]).then(() => Promise.all(segments.splice(0).map(discard)))
  return { stream, filled }
}

async function openSegment(): Promise<Segment> {
  const path = join(tmpdir(), `waypost-export-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return { file, bytes: 0 }
}
