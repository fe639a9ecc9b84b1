import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../operation/context.ts'
import { isStorableText } from '../wire/coerce.ts'
import { isRecord } from '../wire/schema-shape.ts'
import { ApiError } from '../messages/errors.ts'
import { openBodyStream } from './body-timeout.ts'
import { API_HEADERS } from './default-headers.ts'
import type { AccountId } from './viewer.ts'
import { authenticatePage, type PageServices } from './authenticate-page.ts'

const METHODS = ['HEAD', 'PATCH', 'DELETE'] as const
export type EndpointMethod = (typeof METHODS)[number]

/**
 * An address outside `/api` for clients with a protocol of their own. Credentials, errors and limits are the same as
 * elsewhere; an account is required. POST with `X-HTTP-Method-Override` is treated as the method named there.
 */
export interface Endpoint {
  readonly path: string
  /** On every response including errors, except to OPTIONS. */
  readonly headers: Readonly<Record<string, string>>
  /** On the response to OPTIONS. */
  readonly optionsHeaders: Readonly<Record<string, string>>
  /** Headers that pages of other sites may read. */
  readonly exposedHeaders: readonly string[]
  /** Refuses media types before credentials are checked. */
  checkTypes(method: EndpointMethod, headers: IncomingHttpHeaders): void
  answer(call: EndpointCall): Promise<EndpointAnswer>
}

export interface EndpointCall {
  readonly context: Context
  readonly account: AccountId
  readonly method: EndpointMethod
  readonly headers: IncomingHttpHeaders
  readonly params: Readonly<Record<string, string>>
  /** The request body as it arrives. */
  readonly bytes: Readable
}

/** A response without a body. */
export interface EndpointAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Headers of every response of these addresses, including errors. */
export function setEndpointHeaders(
  endpoints: readonly Endpoint[],
  { exchange, method }: FastifyRequest,
  reply: FastifyReply,
): void {
  const endpoint = endpoints.find((each) => matchesEndpoint(each, exchange.path))
  if (!endpoint) return
  const allow = ['OPTIONS', 'HEAD', 'POST', 'PATCH', 'DELETE'].join(', ')
  const exposed = `${API_HEADERS['access-control-expose-headers']}, ${endpoint.exposedHeaders.join(', ')}`
  reply.headers(API_HEADERS).headers({ 'access-control-expose-headers': exposed })
  reply.headers({ allow, 'access-control-allow-methods': allow })
  if (method !== 'OPTIONS') reply.headers(endpoint.headers)
}

export function matchesEndpoint({ path: pattern }: Pick<Endpoint, 'path'>, path: string): boolean {
  return new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`, 'i').test(path)
}

export function serveEndpoint(server: FastifyInstance, endpoint: Endpoint, serving: PageServices): void {
  const url = endpoint.path
  server.options(url, (_, reply) =>
    reply.headers(endpoint.optionsHeaders).header('access-control-max-age', '600').code(204).send(),
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
  serving: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers, raw } = request
  const method = methodOf(request)
  endpoint.checkTypes(method, headers)
  // A page of another site can make a browser send any POST.
  const isVisit = request.method === 'HEAD'
  const viewer = await authenticatePage(serving, request, reply, { reads: false, ...(isVisit && { visits: true }) })
  const { account_id: account } = viewer
  if (account === undefined) throw new ApiError('authentication_required')
  const params = parsePathParams(request.params)
  const bytes = openBodyStream(request)
  try {
    const { context } = serving
    const answer = await endpoint.answer({ context, account, method, headers, params, bytes })
    if (!raw.complete) reply.header('connection', 'close') // The client did not send the rest in time.
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

/** The path parameters; texts that PostgreSQL cannot store are refused. */
export function parsePathParams(params: unknown): Record<string, string> {
  const texts = isRecord(params) ? Object.entries(params).map(([name, value]) => [name, String(value)] as const) : []
  for (const [path, text] of texts)
    if (!isStorableText(text)) throw new ApiError('parameter_invalid', { path, rule: 'format' })
  return Object.fromEntries(texts)
}
