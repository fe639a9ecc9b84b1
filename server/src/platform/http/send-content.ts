import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { httpDate, parseHttpDate } from '../wire/dates.ts'
import { matchesBytes } from '../wire/etag.ts'
import { ApiError } from '../messages/errors.ts'

/** Inclusive at both ends, as in HTTP. */
export interface HttpByteRange {
  readonly first: number
  readonly last: number
}

/** Bytes of known size, opened on demand. */
export interface SendableContent {
  readonly size: number
  readonly type: string
  /** A strong, quoted ETag. */
  readonly etag?: string
  readonly modified?: Date
  readonly headers?: Readonly<Record<string, string>>
  /** The path for the reverse proxy, which sends the bytes or the requested range itself. */
  readonly inFront?: string
  /** The complete content or a range. The caller must read it to the end or destroy it. */
  open(range?: HttpByteRange): Promise<Readable>
}

/** Content that is held in memory. */
export function bufferContent(bytes: Buffer): Pick<SendableContent, 'size' | 'open'> {
  return {
    size: bytes.length,
    open: async (range) => Readable.from([range ? bytes.subarray(range.first, range.last + 1) : bytes]),
  }
}

/** How long a client may leave the response unread. */
const READ_TIMEOUT_MS = 60_000

/**
 * Sends content as a whole, as a range, or as 304. A source that fails on the way breaks the connection, so that a
 * client never takes a part for the whole.
 */
export async function sendContent(
  content: SendableContent,
  { headers: asked, method }: Pick<FastifyRequest, 'headers' | 'method'>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { size, type, etag, modified, headers = {}, inFront } = content
  const part = method === 'HEAD' || inFront !== undefined ? undefined : parseRange(asked, content)
  const has = isNotModified(asked, content)
  const bytes = has || method === 'HEAD' || inFront !== undefined ? Readable.from([]) : await content.open(part)

  reply.headers(headers).header('accept-ranges', 'bytes')
  if (etag !== undefined) reply.header('etag', etag)
  if (modified) reply.header('last-modified', httpDate(modified))
  if (has) return reply.code(304).removeHeader('content-type').send(bytes)

  reply.header('content-type', type)
  if (inFront !== undefined) return reply.header('x-accel-redirect', inFront).send('')
  const length = part ? part.last - part.first + 1 : size
  reply.header('content-length', String(length))
  if (part) reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${size}`)
  if (method === 'HEAD') return reply.send(bytes)
  reply.raw.setTimeout(READ_TIMEOUT_MS, () => reply.raw.destroy())
  return reply.send(requireLength(length, bytes))
}

/** Fails if the source has fewer or more bytes than announced. */
function requireLength(length: number, bytes: Readable): Readable {
  let left = length
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(new Error(`The content is longer than ${length} bytes.`))
      else done(null, chunk)
    },
    flush: (done) => done(left > 0 ? new Error(`${left} bytes of ${length} are missing.`) : null),
  })
  pipeline(bytes, counted, () => {}) // Errors surface at the reader of `counted`.
  return counted
}

/** Whether the client has these bytes. `If-None-Match` takes precedence over `If-Modified-Since`. */
function isNotModified(asked: IncomingHttpHeaders, { etag, modified }: SendableContent): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = asked
  if (tags !== undefined) return etag !== undefined && matchesBytes(tags, etag)
  const given = since === undefined ? undefined : parseHttpDate(since)
  return given !== undefined && modified !== undefined && seconds(modified) <= seconds(given)
}

/** A single range; several ranges, or a range of another version, give the whole content. */
function parseRange(asked: IncomingHttpHeaders, content: SendableContent): HttpByteRange | undefined {
  const { size } = content
  const [, from = '', to = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(asked.range ?? '') ?? []
  if ((from === '' && to === '') || !matchesIfRange(asked['if-range'], content)) return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (first <= last) return { first, last }
  throw new ApiError('range_not_satisfiable').with({ 'content-range': `bytes */${size}` })
}

/** `If-Range`: an identical strong tag, or the date to the second. */
function matchesIfRange(unless: string | string[] | undefined, { etag, modified }: SendableContent): boolean {
  if (unless === undefined) return true
  const given = String(unless).trim()
  if (given.includes('"')) return given === etag
  const date = parseHttpDate(given)
  return date !== undefined && modified !== undefined && seconds(date) === seconds(modified)
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
