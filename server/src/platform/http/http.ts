import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { addLink, createPrint, inFormat } from './answer.ts'
import type { Context } from '../operation/context.ts'
import { keepApart, requireTwoHosts } from './apart.ts'
import { limitArrival } from './arrival.ts'
import { API_HEADERS, SECURITY_HEADERS } from './default-headers.ts'
import { describeEndpoint, type Endpoint, isAt, serveEndpoint } from './endpoint.ts'
import { ApiError, errorBody } from '../words/errors.ts'
import { endStreamsOnClose } from './event-stream.ts'
import { type Exchange, openExchange, requestId, takeSuffix } from './exchange.ts'
import { EXPLORER, serveExplorer } from '../description/explorer.ts'
import { exportAddresses } from './export.ts'
import { toApiError } from '../database/faults.ts'
import { serveHealth } from '../operation/health.ts'
import { createInFlight } from './in-flight.ts'
import { createInputReader } from './input.ts'
import type { Route } from './route.ts'
import { serve } from './serve.ts'
import type { SignIn } from './sign-in.ts'
import { openPage, type WebPage } from './web-page.ts'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange
  }
}

export type Server = FastifyInstance

const PREFIXES = ['/api', '/api/v1']
const REQUESTS_IN_FLIGHT = 64
const ONE_HEADER = 8 * 1024
const ALL_HEADERS = 32 * 1024
const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The HTTP server with every route of the list, under both prefixes, and the pages beside them. */
export function createServer(
  context: Context,
  signIn: SignIn,
  routes: readonly Route[],
  pages: readonly (WebPage | Endpoint)[] = [],
): Server {
  const { config, log } = context
  requireTwoHosts(config)
  const loggerInstance: FastifyBaseLogger = log
  const server = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }), // `logRequest` writes our own line.
    genReqId: requestId,
    rewriteUrl: takeSuffix,
    trustProxy: config.WAYPOST_TRUSTED_PROXIES.length > 0 ? config.WAYPOST_TRUSTED_PROXIES : false,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 500 },
    http: {
      maxHeaderSize: ALL_HEADERS,
      headersTimeout: 10_000,
      requestTimeout: 0, // `limitArrival` knows better: an upload may take hours.
      connectionsCheckingInterval: 1_000,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // A request that arrives while we drain is still served; readiness keeps new ones away.
    exposeHeadRoutes: true,
    frameworkErrors: (_, request, reply) => {
      // An address that cannot be decoded: no hook has seen it.
      reply.headers({ ...SECURITY_HEADERS, ...API_HEADERS, 'x-request-id': request.id })
      void refuse(request, reply, new ApiError('body_malformed'), signIn)
    },
    clientErrorHandler: refuseOnSocket,
  })
  server.decorateRequest('exchange')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null)) // `serve` reads the body, in its turn.

  const endpoints = pages.filter((page) => 'answer' in page)
  const allowed = methodsByPath([...routes, ...routes.flatMap(exportAddresses), ...EXPLORER])
  server.addHook('onRequest', async (request, reply) => {
    request.exchange = openExchange(request.raw)
    limitArrival(request, reply, (socket) => refuseOnSocket(new Error('The body did not arrive.'), socket))
    tameContentType(request.headers)
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    if (config.WAYPOST_PUBLIC_URL.protocol === 'https:')
      reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
    if (request.exchange.prefix !== '') describeRoute(request, reply, allowed, signIn)
    else describeEndpoint(endpoints, request, reply)
    keepApart(request, config)
    if (Object.values(request.headers).some((value) => String(value).length > ONE_HEADER))
      throw new ApiError('header_too_large', { allowed: { maximum: ONE_HEADER } }).with({ connection: 'close' })
  })
  server.addHook('onResponse', logRequest)
  server.setErrorHandler((thrown, request, reply) => refuse(request, reply, thrown, signIn))
  server.setNotFoundHandler(({ exchange: { prefix, path } }) => {
    const isKnown =
      prefix === '' ? endpoints.some((each) => isAt(each, path)) : allowed.some(({ pattern }) => pattern.test(path))
    throw new ApiError(isKnown ? 'method_not_allowed' : 'route_not_found')
  })

  const inFlight = createInFlight(REQUESTS_IN_FLIGHT)
  for (const prefix of PREFIXES) {
    for (const route of routes) {
      const served = { route, context, signIn, inFlight, print: createPrint(route), input: createInputReader(route) }
      const url = prefix + route.path
      server.route({
        method: route.method,
        url,
        config: route.bulk ? { body: 'stream' } : {},
        handler: (request, reply) => serve(served, request, reply),
      })
      for (const { path, exportAs } of exportAddresses(route))
        server.get(prefix + path, (request, reply) => serve({ ...served, exportAs }, request, reply))
    }
    for (const { path } of allowed)
      server.options(prefix + path, (_, reply) => reply.header('access-control-max-age', '600').code(200).send(''))
    serveExplorer(server, prefix, routes, config)
  }
  serveHealth(server, context)
  endStreamsOnClose(server)
  const serving = { context, signIn, inFlight }
  for (const page of pages)
    if ('open' in page) server.get(page.path, (request, reply) => openPage(page, serving, request, reply))
    else serveEndpoint(server, page, serving)
  return server
}

interface AllowedMethods {
  path: string
  pattern: RegExp
  /** Since when a method is discouraged here. */
  deprecated: ReadonlyMap<string, Date>
  /** `OPTIONS, GET, PATCH`. */
  methods: string
}

/** What each path takes, generated from the routes; literal paths come before those with parameters. */
function methodsByPath(routes: readonly Pick<Route, 'path' | 'method' | 'deprecated'>[]): AllowedMethods[] {
  return [...Map.groupBy(routes, ({ path }) => path)]
    .map(([path, group]) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`, 'i'),
      deprecated: new Map(group.flatMap(({ method, deprecated }) => (deprecated ? [[method, deprecated]] : []))),
      methods: ['OPTIONS', ...ORDER.filter((method) => group.some((route) => route.method === method))].join(', '),
    }))
    .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)
}

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** The framework fails at what has not the form of a media type. To us it is one that no route takes, or none. */
function tameContentType(headers: IncomingHttpHeaders): void {
  const { 'content-type': type } = headers
  if (type === undefined || MEDIA_TYPE.test(type)) return
  if (type.trim() === '') delete headers['content-type']
  else headers['content-type'] = 'application/octet-stream'
}

/** What every answer of this address says, refusals included. */
function describeRoute(
  { exchange, headers, method }: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly AllowedMethods[],
  signIn: SignIn,
): void {
  const path = decodeURI(exchange.path)
  const { methods, deprecated } = allowed.find(({ pattern }) => pattern.test(path)) ?? {}
  reply.headers(API_HEADERS).header('content-type', 'application/json; charset=utf-8')
  if (methods) reply.header('allow', methods).header('access-control-allow-methods', methods)
  const since = deprecated?.get(method === 'HEAD' ? 'GET' : method) ?? signIn.discouragedSince(headers)
  if (since) {
    reply.header('deprecation', `@${Math.floor(since.getTime() / 1000)}`)
    addLink(reply, `<${exchange.prefix}/explorer/>; rel="deprecation"; type="text/html"`)
  }
}

/** Every refusal leaves through here, in one shape. */
function refuse(request: FastifyRequest, reply: FastifyReply, thrown: unknown, signIn: SignIn): FastifyReply {
  const error = toApiError(thrown)
  if (error.status >= 500) request.log.error({ err: thrown, request_id: request.id }, 'request failed')
  const exchange = request.exchange ?? openExchange(request.raw)
  const body = JSON.stringify(errorBody(error, request.id, exchange))
  reply.code(error.status).headers(error.headers)
  reply.header('content-type', `application/${exchange.format}; charset=utf-8`)
  if (error.status === 401) reply.header('www-authenticate', signIn.challenge(request.headers))
  if (error.status === 503 || error.status === 429) reply.header('retry-after', error.headers['retry-after'] ?? '1')
  return reply.send(inFormat(body, exchange))
}

/** What is not even HTTP gets the same shape; there is no request yet that could be logged or named. */
function refuseOnSocket(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new ApiError('header_too_large', { allowed: { maximum: ALL_HEADERS } })
      : new ApiError('body_malformed')
  const { status } = refusal
  const id = requestId({ headers: {} })
  const body = JSON.stringify(errorBody(refusal, id))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Tokens, and the secrets of mailed links. */
const SECRET_IN_PATH = /(\/(?:tokens|password_resets|email_verifications|invitations)\/).+/i

/** One line a request: who, what, how long. Query strings and headers stay out: people put secrets into both. */
async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { id, method, ip, exchange, url } = request
  request.log.info({
    request_id: id,
    method,
    path: url.split('?', 1)[0]?.replace(SECRET_IN_PATH, '$1…'),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    address: ip,
    account_id: exchange?.viewer.account_id ?? null,
    credential: exchange?.viewer.credential ?? null,
    ...(reply.hasHeader('deprecation') && { deprecated: true }),
  })
}
