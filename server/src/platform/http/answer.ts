import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../operation/context.ts'
import { httpDate } from '../wire/dates.ts'
import { etagOf, matchesBytes, type Version } from '../wire/etag.ts'
import type { Exchange } from './exchange.ts'
import { type Page, writeCursor } from './pages.ts'
import type { Reply, Route } from './route.ts'
import { stringifier, type Stringify } from '../wire/stringify.ts'
import { writeXml } from '../wire/xml.ts'

/** An answer as far as it is the same for every format and prefix: this is what a replay repeats. */
export interface Answer {
  status: number
  headers: Record<string, string>
  /** JSON, cut to the schema of the route; null: an empty body. */
  body: string | null
  location?: string
  version?: Version
}

/** Prints what a handler returned, and nothing that the route does not declare, unless it is to stay as it is. */
export type Print = (reply: Reply<unknown>) => Answer

const TYPES = { json: 'application/json; charset=utf-8', xml: 'application/xml; charset=utf-8' }

export function createPrint(route: Route): Print {
  const stringify = route.answer && (route.answerAsItIs ? JSON.stringify : stringifier(route.answer))
  const stringifyOther = route.otherAnswer && stringifier(route.otherAnswer)
  const usual = route.status ?? 200
  return ({ body, other, status = usual, headers = {}, location, version }) => ({
    status,
    headers,
    body: bodyOf(stringify, body) ?? bodyOf(stringifyOther, other),
    ...(location !== undefined && { location }),
    ...(version && { version }),
  })
}

function bodyOf(stringify: Stringify | undefined, value: unknown): string | null {
  return stringify && value !== undefined ? stringify(value) : null
}

/** Writes the answer in the format and under the prefix that the client asked for. */
export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer, { config }: Context): FastifyReply {
  const { exchange, headers: given } = request
  const body = inFormat(answer.body, exchange)
  const { link, ...headers } = answer.headers
  reply.code(answer.status).headers(headers).header('content-type', TYPES[exchange.format])
  if (link !== undefined) addLink(reply, link)
  if (answer.location !== undefined)
    reply.header('location', new URL(`${exchange.prefix}/${answer.location}`, config.WAYPOST_PUBLIC_URL).href)
  if (answer.version) {
    const etag = etagOf(answer.version, body)
    reply.header('etag', etag)
    if (answer.version.last_modified) reply.header('last-modified', httpDate(answer.version.last_modified))
    const asks = given['if-none-match']
    if (asks !== undefined && isRead(request)) {
      reply.header('cache-control', 'private, no-cache')
      if (matchesBytes(asks, etag)) return reply.code(304).removeHeader('content-type').send()
    }
  }
  return reply.send(body)
}

/** Several things may have something to link to. */
export function addLink(reply: FastifyReply, link: string): void {
  const others = reply.getHeader('link')
  reply.header('link', others === undefined ? link : `${link}, ${String(others)}`)
}

/** The four headers of every list, and the way on. */
export function pageHeaders(
  { size = 0, next }: Reply<unknown>,
  pages: Route['pages'],
  { page, query }: { page: Page; query: Readonly<Record<string, unknown>> },
  exchange: Exchange,
  { secrets }: Context,
): Record<string, string> {
  if (!pages) return {}
  const whole = pages === 'whole'
  const link = (rel: string, search: string) => `<${exchange.prefix}${exchange.path}${search}>; rel="${rel}"`
  // What the list does not know is not repeated: some people write their keys into addresses.
  const others = new URLSearchParams(exchange.query)
  for (const name of new Set(others.keys()))
    if (!Object.hasOwn(query, name.replace(/\[.*\]$/, '')) || name === 'cursor' || name === 'offset')
      others.delete(name)
  const first = others.size > 0 ? `?${others.toString()}` : ''
  if (next) others.set('cursor', writeCursor(page.offset + page.limit, next, exchange.path, secrets))
  return {
    'x-pagination-limit': String(whole ? size : page.limit),
    'x-pagination-offset': String(page.offset),
    'x-pagination-size': String(size),
    'x-pagination-limit-max': String(whole ? size : pages.max),
    ...(!whole && {
      link: [link('first', first), ...(next ? [link('next', `?${others.toString()}`)] : [])].join(', '),
    }),
  }
}

/** Errors and XML are written from the same object as JSON: one meaning, two spellings. */
export function inFormat(json: string | null, { format }: Exchange): string {
  if (json === null) return ''
  return format === 'json' ? json : writeXml(JSON.parse(json))
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD'
}
