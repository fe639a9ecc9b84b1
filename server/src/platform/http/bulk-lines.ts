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

/** A parsed line, or its error. */
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
  /** It exceeds the maximum number of lines, or the rest cannot be read: it is the last batch. */
  readonly isFinal: boolean
}

/** A line of NDJSON, or a row of CSV. */
export interface SourceLine {
  /** Counts lines or rows from 1, empty ones included. */
  readonly count: number
  /** The line of the body on which it begins. */
  readonly line: number
  /** Undefined: too long. */
  readonly bytes: Buffer | undefined
  readonly isBlank: boolean
  /** The value of the line. Throws an `ApiError`. */
  parse(): { value: unknown; ignored: readonly string[] }
  /** Nothing after it can be read. */
  readonly isLast?: true
}

/** The lines of a request. */
export interface BulkSource {
  readonly lines: AsyncGenerator<SourceLine, void>
  /** The part that applies to all lines: the header of a table. */
  readonly head: string
  /** Parts of the head that are not read. */
  readonly ignored: readonly string[]
}

/**
 * The lines of a source in batches of fixed size, independent of chunks. The next batch is read on demand. Ends early
 * if `deadline` resolves first: an incomplete batch does not run.
 */
export async function* readBulkBatches(
  { lines, head }: BulkSource,
  limits: BulkLimits,
  deadline: Promise<'late'>,
): AsyncGenerator<BulkBatch, 'whole' | 'late'> {
  let batch = openBatch(1, head, limits)
  for (;;) {
    const next = await Promise.race([lines.next(), deadline])
    if (next === 'late') return 'late'
    if (next.done) break
    const number = Math.ceil(next.value.count / limits.linesPerBatch)
    if (number > batch.number) {
      if (batch.isFilled()) yield batch.close()
      batch = openBatch(number, head, limits)
    }
    batch.add(next.value)
    if (next.value.isLast || next.value.count > limits.maxLines) break
  }
  if (batch.isFilled()) yield batch.close()
  return 'whole'
}

function openBatch(number: number, head: string, limits: BulkLimits) {
  const hash = createHash('sha256').update(head)
  const lines: ReadLine[] = []
  let length = 0
  let isOverfull = false
  let isFinal = false
  const readable = (source: SourceLine): ReadLine['read'] => {
    const { count, bytes } = source
    if (count > limits.maxLines) return { error: tooLarge(limits.maxLines) }
    if (!bytes) return { error: tooLarge(limits.maxLineBytes) }
    length += bytes.length
    return length > limits.maxBatchBytes ? { error: tooLarge(limits.maxBatchBytes) } : readLine(source)
  }
  return {
    number,
    isFilled: () => lines.length > 0,
    add(source: SourceLine) {
      const { count, line, bytes } = source
      hash.update(bytes ? `${bytes.length}\n` : 'too long\n').update(bytes ?? '')
      isOverfull ||= count > limits.maxLines
      isFinal ||= source.isLast === true
      if (source.isBlank && !isOverfull) return
      lines.push({ line, read: readable(source) })
    },
    close: (): BulkBatch => ({ number, lines, hash: hash.digest(), isFinal: isOverfull || isFinal }),
  }
}

function readLine(source: SourceLine): ReadLine['read'] {
  try {
    return source.parse()
  } catch (error) {
    if (error instanceof ApiError) return { error }
    throw error
  }
}

const NEW_LINE = 0x0a

/** Lines of JSON. Lines above the limit are skipped without buffering. */
export function openNdjson(stream: Readable, schema: TSchema, limits: BulkLimits): BulkSource {
  return { lines: jsonLines(stream, schema, limits), head: '', ignored: [] }
}

async function* jsonLines(
  stream: Readable,
  schema: TSchema,
  { maxLineBytes }: BulkLimits,
): AsyncGenerator<SourceLine, void> {
  let line = 0
  let kept: Buffer[] = []
  let length = 0
  const keep = (bytes: Buffer) => {
    length += bytes.length
    if (length <= maxLineBytes) kept.push(bytes)
    else kept = []
  }
  const end = (): SourceLine => {
    const bytes = length <= maxLineBytes ? Buffer.concat(kept) : undefined
    ;[kept, length] = [[], 0]
    line += 1
    const isBlank = bytes?.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d) === true
    return { count: line, line, bytes, isBlank, parse: () => parseJsonLine(bytes, schema) }
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

function parseJsonLine(bytes: Buffer | undefined, schema: TSchema): ReturnType<SourceLine['parse']> {
  const ignored = new Set<string>()
  const value = readInput(schema, parseStrictJson(decode(bytes)), 'json', '', ignored)
  return { value, ignored: [...ignored] }
}

function decode(bytes: Buffer | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('body_malformed')
  }
}

function tooLarge(maximum: number): ApiError {
  return new ApiError('payload_too_large', { allowed: { maximum } })
}
