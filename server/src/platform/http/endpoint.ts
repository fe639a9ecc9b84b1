import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../operation/context.ts'
import { isSound } from '../wire/coerce.ts'
import { isRecord } from '../wire/schema-shape.ts'
import { ApiError } from '../words/errors.ts'
import { arrivingBytes } from './arrival.ts'
import { API_HEADERS } from './default-headers.ts'
import type { AccountId } from './viewer.ts'
import { identifyVisitor, type Serving } from './visitor.ts'

const METHODS = ['HEAD', 'PATCH', 'DELETE'] as const
export type EndpointMethod = (typeof METHODS)[number]

/**
 * An address outside `/api` for programs that speak a protocol of their own. Credentials, refusals and limits are as
 * everywhere; people without an account have no business here. POST with `X-HTTP-Method-Override` is the method that is
 * named there, for those who have no other.
 */
export interface Endpoint {
  readonly path: string
  /** On every answer, refusals included, but not to OPTIONS. */
  readonly headers: Readonly<Record<string, string>>
  /** On the answer to OPTIONS. */
  readonly describes: Readonly<Record<string, string>>
  /** Headers that pages of other sites may read. */
  readonly exposes: readonly string[]
  /** Refuses media types, before anybody looks at credentials. */
  checkTypes(method: EndpointMethod, headers: IncomingHttpHeaders): void
  answer(call: EndpointCall): Promise<EndpointAnswer>
}

export interface EndpointCall {
  readonly context: Context
  readonly account: AccountId
  readonly method: EndpointMethod
  readonly headers: IncomingHttpHeaders
  readonly params: Readonly<Record<string, string>>
  /** What comes, for as long as it comes. */
  readonly bytes: Readable
}

/** Without a body. */
export interface EndpointAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** What every answer of these addresses says, refusals included. */
export function describeEndpoint(
  endpoints: readonly Endpoint[],
  { exchange, method }: FastifyRequest,
  reply: FastifyReply,
): void {
  const endpoint = endpoints.find((each) => isAt(each, exchange.path))
  if (!endpoint) return
  const allow = ['OPTIONS', 'HEAD', 'POST', 'PATCH', 'DELETE'].join(', ')
  const exposed = `${API_HEADERS['access-control-expose-headers']}, ${endpoint.exposes.join(', ')}`
  reply.headers(API_HEADERS).headers({ 'access-control-expose-headers': exposed })
  reply.headers({ allow, 'access-control-allow-methods': allow })
  if (method !== 'OPTIONS') reply.headers(endpoint.headers)
}

export function isAt({ path: pattern }: Pick<Endpoint, 'path'>, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`, 'i').test(path)
}

export function serveEndpoint(server: FastifyInstance, endpoint: Endpoint, serving: Serving): void {
  const url = endpoint.path
  server.options(url, (_, reply) =>
    reply.headers(endpoint.describes).header('access-control-max-age', '600').code(204).send(),
  )
  server.route({
    method: [...METHODS, 'POST'],
    url,
    config: { body: 'in_its_own_time' },
    handler: (request, reply) => serveOne(endpoint, serving, request, reply),
  })
}

async function serveOne(
  endpoint: Endpoint,
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, raw } = request
  const method = methodOf(request)
  endpoint.checkTypes(method, headers)
  // A page of another site can make a browser send a POST, whatever that says to be.
  const isVisit = request.method === 'HEAD'
  const viewer = await identifyVisitor(serving, request, reply, { reads: false, ...(isVisit && { visits: true }) })
  const { account_id: account } = viewer
  if (account === undefined) throw new ApiError('authentication_required')
  const params = soundTexts(request.params)
  const bytes = arrivingBytes(request)
  try {
    const { context } = serving
    const answer = await endpoint.answer({ context, account, method, headers, params, bytes })
    if (!raw.complete) reply.header('connection', 'close') // We have waited for the rest long enough.
    return await reply.code(answer.status).headers(answer.headers).send()
  } finally {
    bytes.destroy()
  }
}

function methodOf({ method, headers }: FastifyRequest): EndpointMethod {
  const meant = method === 'POST' ? String(headers['x-http-method-override']).trim().toUpperCase() : method
  const found = METHODS.find((each) => each === meant)
  if (!found) throw new ApiError('method_not_allowed')
  return found
}

/** The parts of a path, of which none is something that no text can hold. */
export function soundTexts(params: unknown): Record<string, string> {
  const texts = isRecord(params) ? Object.entries(params).map(([name, value]) => [name, String(value)] as const) : []
  for (const [path, text] of texts)
    if (!isSound(text)) throw new ApiError('parameter_invalid', { path, rule: 'format' })
  return Object.fromEntries(texts)
}
