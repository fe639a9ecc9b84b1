import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { httpDate, parseHttpDate } from '../wire/dates.ts'
import { matchesBytes } from '../wire/etag.ts'
import { ApiError } from '../words/errors.ts'

/** Inclusive at both ends, as in HTTP. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

/** Bytes to be sent: how many there are is known before the first of them is read. */
export interface Content {
  readonly size: number
  readonly type: string
  /** Strong and quoted: other bytes have another one. */
  readonly etag?: string
  readonly modified?: Date
  readonly headers?: Readonly<Record<string, string>>
  /** Where the server in front of us finds the bytes: it sends them, or the part that is asked for. */
  readonly inFront?: string
  /** All of it, or the part alone. Whoever opens it reads it to the end, or destroys it. */
  open(range?: ByteRange): Promise<Readable>
}

/** What is small enough to be in memory as a whole. */
export function contentOf(bytes: Buffer): Pick<Content, 'size' | 'open'> {
  return {
    size: bytes.length,
    open: async (range) => Readable.from([range ? bytes.subarray(range.first, range.last + 1) : bytes]),
  }
}

/** How long somebody may leave what he asked for unread. */
const PATIENCE = 60_000

/**
 * The one way in which bytes leave: whole, as a part, or not at all, where the reader has them. They pass through, and
 * what breaks off on the way breaks the connection, so that nobody takes a part for the whole.
 */
export async function sendContent(
  content: Content,
  { headers: asked, method }: Pick<FastifyRequest, 'headers' | 'method'>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { size, type, etag, modified, headers = {}, inFront } = content
  const part = method === 'HEAD' || inFront !== undefined ? undefined : partIn(asked, content)
  const has = readerHas(asked, content)
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
  reply.raw.setTimeout(PATIENCE, () => reply.raw.destroy())
  return reply.send(exactly(length, bytes))
}

/** A source that gives fewer bytes than were promised has failed, and one that gives more too. */
function exactly(length: number, bytes: Readable): Readable {
  let left = length
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(new Error(`The content is longer than ${length} bytes.`))
      else done(null, chunk)
    },
    flush: (done) => done(left > 0 ? new Error(`${left} bytes of ${length} are missing.`) : null),
  })
  pipeline(bytes, counted, () => {}) // Whoever reads `counted` is told what fails.
  return counted
}

/** Whether he who asks has these very bytes. The tag is the better witness: beside it the date does not count. */
function readerHas(asked: IncomingHttpHeaders, { etag, modified }: Content): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = asked
  if (tags !== undefined) return etag !== undefined && matchesBytes(tags, etag)
  const given = since === undefined ? undefined : parseHttpDate(since)
  return given !== undefined && modified !== undefined && seconds(modified) <= seconds(given)
}

/** One part; whoever asks for several, or for one of a content that he has another version of, gets the whole. */
function partIn(asked: IncomingHttpHeaders, content: Content): ByteRange | undefined {
  const { size } = content
  const [, from = '', to = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(asked.range ?? '') ?? []
  if ((from === '' && to === '') || !isOf(asked['if-range'], content)) return undefined
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (first <= last) return { first, last }
  throw new ApiError('range_not_satisfiable').with({ 'content-range': `bytes */${size}` })
}

/** `If-Range`: the tag to the letter, or the date to the second. Weak tags never are. */
function isOf(unless: string | string[] | undefined, { etag, modified }: Content): boolean {
  if (unless === undefined) return true
  const given = String(unless).trim()
  if (given.includes('"')) return given === etag
  const date = parseHttpDate(given)
  return date !== undefined && modified !== undefined && seconds(date) === seconds(modified)
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}
