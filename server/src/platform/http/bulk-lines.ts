import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { TSchema } from 'typebox'
import { parseStrictJson } from '../wire/json.ts'
import { readInput } from '../wire/read-input.ts'
import { ApiError } from '../messages/errors.ts'

export interface BulkLimits {
  readonly maxLines: number
  readonly maxLineBytes: number
  /** Lines per transaction. */
  readonly linesPerBatch: number
  /** Limit of all lines of a batch, which is held in memory. */
  readonly maxBatchBytes: number
  readonly maxDurationMs: number
  /** How long a client may leave the response unread, in milliseconds. */
  readonly readTimeoutMs: number
}

export const DEFAULT_BULK_LIMITS: BulkLimits = {
  maxLines: 10_000,
  maxLineBytes: 1024 * 1024,
  linesPerBatch: 500,
  maxBatchBytes: 32 * 1024 * 1024,
  maxDurationMs: 10 * 60_000,
  readTimeoutMs: 30_000,
}

/** A parsed line, or its error. Numbers start at 1 and include empty lines. */
interface ReadLine {
  readonly line: number
  readonly read: { value: unknown; ignored: readonly string[] } | { error: ApiError }
}

export interface BulkBatch {
  /** Starts at 1. */
  readonly number: number
  readonly lines: readonly ReadLine[]
  /** Hash of all bytes of its lines, empty ones included. */
  readonly hash: Buffer
  /** It exceeds the maximum number of lines, so it is the last batch. */
  readonly isOverfull: boolean
}

interface RawLine {
  readonly line: number
  /** Undefined: the line is too long. */
  readonly bytes: Buffer | undefined
}

/**
 * The lines of a stream in batches of fixed size, independent of chunks. The next batch is read on demand. Ends early
 * if `deadline` resolves first: an incomplete batch does not run.
 */
export async function* readBulkBatches(
  stream: Readable,
  schema: TSchema,
  limits: BulkLimits,
  deadline: Promise<'late'>,
): AsyncGenerator<BulkBatch, 'whole' | 'late'> {
  const lines = rawLines(stream, limits)
  let batch = openBatch(1, schema, limits)
  for (;;) {
    const next = await Promise.race([lines.next(), deadline])
    if (next === 'late') return 'late'
    if (next.done) break
    const number = Math.ceil(next.value.line / limits.linesPerBatch)
    if (number > batch.number) {
      if (batch.isFilled()) yield batch.close()
      batch = openBatch(number, schema, limits)
    }
    batch.add(next.value)
    if (next.value.line > limits.maxLines) break
  }
  if (batch.isFilled()) yield batch.close()
  return 'whole'
}

function openBatch(number: number, schema: TSchema, limits: BulkLimits) {
  const hash = createHash('sha256')
  const lines: ReadLine[] = []
  let length = 0
  let isOverfull = false
  const readable = ({ line, bytes }: RawLine): ReadLine['read'] => {
    if (line > limits.maxLines) return { error: tooLarge(limits.maxLines) }
    if (!bytes) return { error: tooLarge(limits.maxLineBytes) }
    length += bytes.length
    return length > limits.maxBatchBytes ? { error: tooLarge(limits.maxBatchBytes) } : readLine(bytes, schema)
  }
  return {
    number,
    isFilled: () => lines.length > 0,
    add(raw: RawLine) {
      const { line, bytes } = raw
      hash.update(bytes ? `${bytes.length}\n` : 'too long\n').update(bytes ?? '')
      isOverfull ||= line > limits.maxLines
      if (bytes && isBlank(bytes) && !isOverfull) return
      lines.push({ line, read: readable(raw) })
    },
    close: (): BulkBatch => ({ number, lines, hash: hash.digest(), isOverfull }),
  }
}

const NEW_LINE = 0x0a

/** Lines above the limit are skipped without buffering. */
async function* rawLines(stream: Readable, { maxLineBytes }: BulkLimits): AsyncGenerator<RawLine, undefined> {
  let line = 0
  let kept: Buffer[] = []
  let length = 0
  const keep = (bytes: Buffer) => {
    length += bytes.length
    if (length <= maxLineBytes) kept.push(bytes)
    else kept = []
  }
  const end = (): RawLine => {
    const bytes = length <= maxLineBytes ? Buffer.concat(kept) : undefined
    ;[kept, length] = [[], 0]
    line += 1
    return { line, bytes }
  }
  // Destroying the stream would close the connection before the response is sent.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    let start = 0
    for (let at = bytes.indexOf(NEW_LINE); at !== -1; at = bytes.indexOf(NEW_LINE, start)) {
      keep(bytes.subarray(start, at))
      yield end()
      start = at + 1
    }
    keep(bytes.subarray(start))
  }
  if (length > 0) yield end()
}

function readLine(bytes: Buffer, schema: TSchema): ReadLine['read'] {
  try {
    const ignored = new Set<string>()
    const value = readInput(schema, parseStrictJson(decode(bytes)), 'json', '', ignored)
    return { value, ignored: [...ignored] }
  } catch (error) {
    if (error instanceof ApiError) return { error }
    throw error
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('body_malformed')
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

function tooLarge(maximum: number): ApiError {
  return new ApiError('payload_too_large', { allowed: { maximum } })
}
