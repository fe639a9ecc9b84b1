import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { TSchema } from 'typebox'
import { parseJson } from '../wire/json.ts'
import { readInput } from '../wire/read-input.ts'
import { ApiError } from '../words/errors.ts'

export interface BulkLimits {
  readonly lines: number
  readonly bytesOfLine: number
  /** Lines of one transaction. */
  readonly linesOfPart: number
  /** Of all its lines together: a part is in memory as a whole. */
  readonly bytesOfPart: number
  /** How long a whole request may take, in milliseconds. */
  readonly longest: number
  /** How long a client may leave its answers unread, in milliseconds. */
  readonly patience: number
}

export const BULK_LIMITS: BulkLimits = {
  lines: 10_000,
  bytesOfLine: 1024 * 1024,
  linesOfPart: 500,
  bytesOfPart: 32 * 1024 * 1024,
  longest: 10 * 60_000,
  patience: 30_000,
}

/** A line as the schema reads it, or why it cannot be read. Numbers count from 1, empty lines included. */
interface ReadLine {
  readonly line: number
  readonly read: { value: unknown } | { error: ApiError }
}

export interface Part {
  /** From 1. */
  readonly number: number
  readonly lines: readonly ReadLine[]
  /** Of the bytes of its lines, the empty ones included. */
  readonly hash: Buffer
  /** It holds a line too many: it is the last. */
  readonly isOverfull: boolean
}

interface RawLine {
  readonly line: number
  /** Undefined: longer than a line may be. */
  readonly bytes: Buffer | undefined
}

/**
 * The lines of a stream in parts of fixed numbers, whatever chunks they come in. The next part is read when it is asked
 * for. Ends early where `deadline` resolves first: the part that was not complete by then is not run.
 */
export async function* readParts(
  stream: Readable,
  schema: TSchema,
  limits: BulkLimits,
  deadline: Promise<'late'>,
): AsyncGenerator<Part, 'whole' | 'late'> {
  const lines = rawLines(stream, limits)
  let part = openPart(1, schema, limits)
  for (;;) {
    const next = await Promise.race([lines.next(), deadline])
    if (next === 'late') return 'late'
    if (next.done) break
    const number = Math.ceil(next.value.line / limits.linesOfPart)
    if (number > part.number) {
      if (part.isFilled()) yield part.close()
      part = openPart(number, schema, limits)
    }
    part.add(next.value)
    if (next.value.line > limits.lines) break
  }
  if (part.isFilled()) yield part.close()
  return 'whole'
}

function openPart(number: number, schema: TSchema, limits: BulkLimits) {
  const hash = createHash('sha256')
  const lines: ReadLine[] = []
  let length = 0
  let isOverfull = false
  const readable = ({ line, bytes }: RawLine): ReadLine['read'] => {
    if (line > limits.lines) return { error: tooLarge(limits.lines) }
    if (!bytes) return { error: tooLarge(limits.bytesOfLine) }
    length += bytes.length
    return length > limits.bytesOfPart ? { error: tooLarge(limits.bytesOfPart) } : readLine(bytes, schema)
  }
  return {
    number,
    isFilled: () => lines.length > 0,
    add(raw: RawLine) {
      const { line, bytes } = raw
      hash.update(bytes ? `${bytes.length}\n` : 'too long\n').update(bytes ?? '')
      isOverfull ||= line > limits.lines
      if (bytes && isBlank(bytes) && !isOverfull) return
      lines.push({ line, read: readable(raw) })
    },
    close: (): Part => ({ number, lines, hash: hash.digest(), isOverfull }),
  }
}

const NEW_LINE = 0x0a

/** What is longer than a line may be is let pass without being kept. */
async function* rawLines(stream: Readable, { bytesOfLine }: BulkLimits): AsyncGenerator<RawLine, undefined> {
  let line = 0
  let kept: Buffer[] = []
  let length = 0
  const keep = (bytes: Buffer) => {
    length += bytes.length
    if (length <= bytesOfLine) kept.push(bytes)
    else kept = []
  }
  const end = (): RawLine => {
    const bytes = length <= bytesOfLine ? Buffer.concat(kept) : undefined
    ;[kept, length] = [[], 0]
    line += 1
    return { line, bytes }
  }
  // Destroyed, the stream would take the connection with it, and the answers on it.
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
    return { value: readInput(schema, parseJson(decode(bytes)), 'json') }
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
