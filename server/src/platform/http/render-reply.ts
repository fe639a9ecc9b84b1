import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../operation/context.ts'
import { httpDate } from '../wire/dates.ts'
import { toEtag, toListEtag, matchesBytes, type ResourceVersion } from '../wire/etag.ts'
import type { RequestState } from './request-state.ts'
import { type Pagination, writeCursor } from './pages.ts'
import type { Route } from './route.ts'
import type { RouteReply } from './route-call.ts'
import { stringifier, type Stringify } from '../wire/stringify.ts'
import { writeXml } from '../wire/xml.ts'

/** The part of a response that is independent of format and prefix; replays repeat it. */
export interface RenderedReply {
  status: number
  headers: Record<string, string | string[]>
  /** JSON, cut to the schema of the route; null: an empty body. */
  body: string | null
  location?: string
  version?: ResourceVersion
  store?: RouteReply<unknown>['store']
}

/** A response whose body is serialized already. */
export interface RenderedChunks extends Omit<RenderedReply, 'body' | 'version' | 'store'> {
  chunks: readonly Buffer[]
}

/** Serializes the result of a handler, cut to the declared schema unless the route returns it already cut. */
export type RenderReply = (reply: RouteReply<unknown>) => RenderedReply

export const MEDIA_TYPES = { json: 'application/json; charset=utf-8', xml: 'application/xml; charset=utf-8' }

export function createReplyRenderer(route: Route): RenderReply {
  const stringify = route.answer && (route.answerOptions?.isAlreadyCut ? JSON.stringify : stringifier(route.answer))
  const alternative = route.answerOptions?.alternative
  const stringifyOther = alternative && stringifier(alternative)
  const usual = route.status ?? 200
  return ({ body, other, status = usual, headers = {}, location, version, store }) => ({
    status,
    headers,
    body: bodyOf(stringify, body) ?? bodyOf(stringifyOther, other),
    ...(location !== undefined && { location }),
    ...(version && { version }),
    ...(store && { store }),
  })
}

function bodyOf(stringify: Stringify | undefined, value: unknown): string | null {
  return stringify && value !== undefined ? stringify(value) : null
}

/** Writes the response in the requested format and under the requested prefix. */
export function sendReply(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: RenderedReply | RenderedChunks,
  { config }: Context,
): FastifyReply {
  const { exchange } = request
  const { link, ...headers } = answer.headers
  reply.code(answer.status).headers(headers).header('content-type', MEDIA_TYPES[exchange.format])
  for (const one of [link ?? []].flat()) addLink(reply, one)
  if (answer.location !== undefined)
    reply.header('location', new URL(`${exchange.prefix}/${answer.location}`, config.WAYPOST_PUBLIC_URL).href)
  if ('chunks' in answer) {
    const isTagged = isRead(request) && totalLength(answer.chunks) <= MAX_TAGGED_BYTES
    const etag = isTagged ? toListEtag([...describePage(headers, link), ...answer.chunks]) : undefined
    return isUnchanged(request, reply, etag) ? sendUnchanged(reply) : sendChunks(request, reply, answer.chunks)
  }
  const body = toFormat(answer.body, exchange)
  const etag = answer.version
    ? toEtag(answer.version, body)
    : SIZE_HEADER in headers && isRead(request)
      ? toListEtag([...describePage(headers, link), body])
      : undefined
  const lastModified = answer.version?.last_modified && httpDate(answer.version.last_modified)
  if (lastModified !== undefined) reply.header('last-modified', lastModified)
  if (etag !== undefined) answer.store?.({ etag, lastModified, text: body })
  return isUnchanged(request, reply, etag) ? sendUnchanged(reply) : reply.send(body)
}

/** The hash of a longer page would block the event loop; such pages have no ETag. */
const MAX_TAGGED_BYTES = 1024 * 1024
const SIZE_HEADER = 'x-pagination-size'

/** The same rows of a list that has grown are another page. */
function describePage(headers: Readonly<Record<string, unknown>>, link: string | string[] | undefined): string[] {
  return [`${String(headers[SIZE_HEADER])} ${String(link)}\n`]
}

/** Sets the ETag, and compares it with that of the caller. */
export function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string | undefined): boolean {
  if (etag === undefined) return false
  reply.header('etag', etag)
  const asks = request.headers['if-none-match']
  if (asks === undefined || !isRead(request)) return false
  reply.header('cache-control', 'private, no-cache')
  return matchesBytes(asks, etag)
}

export function sendUnchanged(reply: FastifyReply): FastifyReply {
  return reply.code(304).removeHeader('content-type').send()
}

function totalLength(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

/** Not as one buffer: to allocate and copy megabytes blocks the event loop. */
function sendChunks({ method }: FastifyRequest, reply: FastifyReply, chunks: readonly Buffer[]): FastifyReply {
  const [only, ...others] = chunks
  if (only && others.length === 0) return reply.send(only)
  if (method === 'HEAD') return reply.send(Buffer.concat(chunks)) // The framework sends its length only.
  reply.header('content-length', String(totalLength(chunks)))
  return reply.send(Readable.from(chunks, { objectMode: false }))
}

/** Appends to an existing `Link` header. */
export function addLink(reply: FastifyReply, link: string): void {
  const others = reply.getHeader('link')
  reply.header('link', others === undefined ? link : `${link}, ${String(others)}`)
}

interface ListedPage {
  readonly page: Pagination
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** The four headers of every list, and the `Link` to the next page. */
export function pageHeaders(
  { size = 0, next }: RouteReply<unknown>,
  { pages, bodyRules }: Pick<Route, 'pages' | 'bodyRules'>,
  { page, query, body }: ListedPage,
  exchange: RequestState,
  { secrets }: Context,
): Record<string, string> {
  if (!pages) return {}
  const whole = pages === 'whole'
  const link = (rel: string, search: string) => `<${exchange.prefix}${exchange.path}${search}>; rel="${rel}"`
  // Unknown parameters are not repeated in links, because people put keys into addresses.
  const others = new URLSearchParams(exchange.query)
  for (const name of new Set(others.keys()))
    if (!Object.hasOwn(query, name.replace(/\[.*\]$/, '')) || name === 'cursor' || name === 'offset')
      others.delete(name)
  if (bodyRules?.sameAsParameter !== undefined) carryBody(others, bodyRules.sameAsParameter, body)
  const first = others.size > 0 ? `?${others.toString()}` : ''
  if (next) others.set('cursor', writeCursor(page.offset + page.limit, next, exchange.path, secrets))
  const links = [link('first', first), ...(next ? [link('next', `?${others.toString()}`)] : [])]
  if (size === 'later') links.push(link('size', sizeSearch(others)))
  return {
    'x-pagination-limit': String(whole ? size : page.limit),
    'x-pagination-offset': String(page.offset),
    ...(size !== 'later' && { [SIZE_HEADER]: String(size) }),
    'x-pagination-limit-max': String(whole ? size : pages.max),
    ...(!whole && { link: links.join(', ') }),
  }
}

/** The same list without rows, which always has its size. */
function sizeSearch(parameters: URLSearchParams): string {
  const others = new URLSearchParams(parameters)
  for (const name of ['cursor', 'size']) others.delete(name)
  others.set('limit', '0')
  return `?${others.toString()}`
}

/** Longer criteria would exceed what clients and proxies accept in a header: their senders repeat the body. */
const MAX_CARRIED_LENGTH = 4000

/** Links are followed without a body, so they carry it as a parameter. */
function carryBody(parameters: URLSearchParams, name: string, body: unknown): void {
  const isGiven = (parameters.get(name) ?? '').trim() !== ''
  if (isGiven || typeof body !== 'object' || body === null) return
  const text = JSON.stringify(body)
  if (encodeURIComponent(text).length <= MAX_CARRIED_LENGTH) parameters.set(name, text)
}

/** Converts the JSON of a response to the requested format. */
export function toFormat(json: string | null, { format }: RequestState): string {
  if (json === null) return ''
  return format === 'json' ? json : writeXml(JSON.parse(json))
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}
