import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { addLink, createReplyRenderer, toFormat } from './render-reply.ts'
import { type Context, onPool } from '../operation/context.ts'
import { restrictFilesHost, requireSeparateFilesHost } from './files-host.ts'
import { startBodyTimeout } from './body-timeout.ts'
import { API_HEADERS, SECURITY_HEADERS } from './default-headers.ts'
import { setEndpointHeaders, type Endpoint, matchesEndpoint, serveEndpoint } from './endpoint.ts'
import { ApiError, errorBody } from '../messages/errors.ts'
import { PROBLEM_MEDIA_TYPE, toProblemDetails } from '../messages/problem-details.ts'
import { endStreamsOnClose } from './event-stream.ts'
import { type RequestState, createRequestState, requestId, stripFormatSuffix } from './request-state.ts'
import { EXPLORER, serveExplorer } from '../openapi/explorer.ts'
import { exportAddresses } from './export.ts'
import { httpDate } from '../wire/dates.ts'
import { toApiError } from '../database/database-errors.ts'
import { serveHealth } from '../operation/health.ts'
import { answerProbe } from '../operation/proxy-probe.ts'
import { createAdmission } from './admission.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { createInputReader, lineSchema } from './input.ts'
import { createQueryCosts } from './query-cost.ts'
import { completeLimitHeaders } from './rate-limit.ts'
import { createRefusalDelay } from './refusal-delay.ts'
import { createReadAddress } from './read-address.ts'
import type { Route } from './route.ts'
import { serve } from './serve.ts'
import type { SignIn } from './sign-in.ts'
import { createOwnerCache } from './request-owner.ts'
import { onBehalfOf } from '../database/connection-owner.ts'
import { openPage, type WebPage } from './web-page.ts'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: RequestState
  }
}

export type HttpServer = FastifyInstance

const PREFIXES = ['/api', '/api/v1']
const MAX_HEADER_BYTES = 8 * 1024
const MAX_TOTAL_HEADER_BYTES = 32 * 1024
const METHOD_ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The HTTP server with all routes under both prefixes, and the pages beside them. */
export function createServer(
  context: Context,
  signIn: SignIn,
  routes: readonly Route[],
  pages: readonly (WebPage | Endpoint)[] = [],
): HttpServer {
  const { config, log } = context
  requireSeparateFilesHost(config)
  const answering = { signIn, publicUrl: config.WAYPOST_PUBLIC_URL }
  const loggerInstance: FastifyBaseLogger = log
  const server = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }), // `logRequest` writes our own line.
    genReqId: requestId,
    rewriteUrl: stripFormatSuffix,
    trustProxy: config.WAYPOST_TRUSTED_PROXIES.length > 0 ? config.WAYPOST_TRUSTED_PROXIES : false,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 500 },
    http: {
      maxHeaderSize: MAX_TOTAL_HEADER_BYTES,
      requireHostHeader: false, // Node itself would answer without a body; `requireSoundHeaders` refuses.
      headersTimeout: 10_000,
      requestTimeout: 0, // `startBodyTimeout` sets timeouts by route: an upload may take hours.
      connectionsCheckingInterval: 1_000,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // Requests that arrive during shutdown are still served; the readiness check keeps new clients away.
    exposeHeadRoutes: true,
    frameworkErrors: (_, request, reply) => {
      // An address that cannot be decoded bypasses all hooks.
      reply.headers({ ...SECURITY_HEADERS, ...API_HEADERS, 'x-request-id': request.id })
      void sendError(request, reply, new ApiError('parameter_invalid', { path: 'address', rule: 'format' }), answering)
      void logRequest(request, reply)
    },
    clientErrorHandler: (error, socket) => sendErrorOnSocket(log, error, socket),
  })
  // A failed accept, for lack of file descriptors for example, must not end the process.
  server.server.on('error', (error) => server.log.error({ err: error }, 'the listening socket failed'))
  // Node itself would answer 417 without a body.
  server.server.on('checkExpectation', (request, response) => server.server.emit('request', request, response))
  server.decorateRequest('exchange')
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null)) // `serve` reads the body after its checks.

  // Connections are shared among clients: by address until the account is known.
  const owners = createOwnerCache()
  server.addHook('onRequest', (request, _reply, done) => {
    onBehalfOf(owners.guess(request), done)
  })
  const endpoints = pages.filter((page) => 'answer' in page)
  const allowed = methodsByPath([...routes, ...routes.flatMap(exportAddresses), ...EXPLORER])
  const allowedByPath = new Map(allowed.map((each) => [each.path, each]))
  const findAllowed = ({ exchange, routeOptions: { url } }: FastifyRequest) => {
    const matched = url === undefined ? undefined : allowedByPath.get(url.slice(exchange.prefix.length))
    if (matched) return matched
    const path = decodeURI(exchange.path) // An address with other methods than this one.
    return allowed.find(({ pattern }) => pattern.test(path))
  }
  server.addHook('onRequest', async (request, reply) => {
    request.exchange = createRequestState(request.raw)
    startBodyTimeout(request, reply, (socket) => sendErrorOnSocket(log, new Error('The body did not arrive.'), socket))
    normalizeContentType(request.headers)
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id)
    if (config.WAYPOST_PUBLIC_URL.protocol === 'https:')
      reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains')
    answerProbe(request, reply, context)
    if (request.exchange.prefix !== '') setRouteHeaders(request, reply, signIn, findAllowed(request))
    else setEndpointHeaders(endpoints, request, reply)
    restrictFilesHost(request, reply, config)
    requireSoundHeaders(request)
  })
  // A client that reads slowly must not keep a place.
  server.addHook('onSend', (request, _reply, _payload, done) => {
    request.exchange?.turn?.leave()
    done()
  })
  server.addHook('onResponse', logRequest)
  const refusals = createRefusalDelay(context.rateLimits)
  server.setErrorHandler((thrown, request, reply) => {
    const delay = refusals.delay(request, toApiError(thrown))
    if (!delay) return sendError(request, reply, thrown, answering)
    return delay.then(() => sendError(request, reply, thrown, answering))
  })
  server.setNotFoundHandler(({ exchange: { prefix, path } }) => {
    const isKnown =
      prefix === ''
        ? endpoints.some((each) => matchesEndpoint(each, path))
        : allowed.some(({ pattern }) => pattern.test(path))
    throw new ApiError(isKnown ? 'method_not_allowed' : 'route_not_found')
  })

  const inFlight = createConcurrencyLimit(config.WAYPOST_CONCURRENT_REQUESTS)
  const admission = createAdmission(config.WAYPOST_RATE_LIMIT_FACTOR)
  const readAddress = createReadAddress(routes)
  const queryCosts = createQueryCosts(context)
  const streamContext = onPool(context, 'streams')
  const common = { context, streamContext, signIn, inFlight, admission, queryCosts, readAddress, owners }
  const servedRoutes = routes.map(closeLines).map((route) => {
    return { ...common, route, print: createReplyRenderer(route), input: createInputReader(route) }
  })
  for (const prefix of PREFIXES) {
    for (const served of servedRoutes) {
      const { route } = served
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
  const serving = { context, signIn, inFlight, admission, owners }
  for (const page of pages)
    if ('open' in page) server.get(page.path, (request, reply) => openPage(page, serving, request, reply))
    else serveEndpoint(server, page, serving)
  return server
}

/** A bulk route refuses unknown members of its lines, as other routes do in their bodies. */
function closeLines(route: Route): Route {
  return route.bulk ? { ...route, bulk: { ...route.bulk, line: lineSchema(route.bulk.line, route) } } : route
}

function requireSoundHeaders({ headers, raw }: FastifyRequest): void {
  if (headers.host === undefined && raw.httpVersion === '1.1')
    throw new ApiError('parameter_invalid', { path: 'Host', rule: 'required' }).with({ connection: 'close' })
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    throw new ApiError('parameter_invalid', { path: 'Expect', rule: 'one_of', allowed: ['100-continue'] })
  if (Object.values(headers).some((value) => String(value).length > MAX_HEADER_BYTES))
    throw new ApiError('header_too_large', { allowed: { maximum: MAX_HEADER_BYTES } }).with({ connection: 'close' })
}

interface AllowedMethods {
  path: string
  pattern: RegExp
  /** The deprecated methods. */
  deprecated: ReadonlyMap<string, { readonly since: Date; readonly sunset: Date | undefined }>
  /** `OPTIONS, GET, PATCH`. */
  methods: string
}

/** The methods of each path, derived from the routes; literal paths come before those with parameters. */
function methodsByPath(routes: readonly Pick<Route, 'path' | 'method' | 'deprecated' | 'sunset'>[]): AllowedMethods[] {
  return [...Map.groupBy(routes, ({ path }) => path)]
    .map(([path, group]) => ({
      path,
      // The prefix alone is the path `/`; paths have no trailing slash.
      pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replace(/^\/$/, '')}$`, 'i'),
      deprecated: new Map(
        group.flatMap(({ method, deprecated: since, sunset }) => (since ? [[method, { since, sunset }]] : [])),
      ),
      methods: ['OPTIONS', ...METHOD_ORDER.filter((method) => group.some((route) => route.method === method))].join(
        ', ',
      ),
    }))
    .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)
}

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** The framework fails on malformed media types. Treat them as an unsupported type, and an empty one as absent. */
function normalizeContentType(headers: IncomingHttpHeaders): void {
  const { 'content-type': type } = headers
  if (type === undefined || MEDIA_TYPE.test(type)) return
  if (type.trim() === '') delete headers['content-type']
  else headers['content-type'] = 'application/octet-stream'
}

/** Headers of every response of this address, including errors. */
function setRouteHeaders(
  { exchange, headers, method }: FastifyRequest,
  reply: FastifyReply,
  signIn: SignIn,
  { methods, deprecated }: Partial<AllowedMethods> = {},
): void {
  reply.headers(API_HEADERS).header('content-type', 'application/json; charset=utf-8')
  if (methods) reply.header('allow', methods).header('access-control-allow-methods', methods)
  const route = deprecated?.get(method === 'HEAD' ? 'GET' : method)
  const since = route?.since ?? signIn.deprecatedSince(headers)
  if (route?.sunset) reply.header('sunset', httpDate(route.sunset))
  if (since) {
    reply.header('deprecation', `@${Math.floor(since.getTime() / 1000)}`)
    addLink(reply, `<${exchange.prefix}/explorer/>; rel="deprecation"; type="text/html"`)
  }
}

/** Every error response is written here, in one shape. */
function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  { signIn, publicUrl }: { signIn: SignIn; publicUrl: URL },
): FastifyReply {
  const error = toApiError(thrown)
  if (error.status >= 500) request.log.error({ err: thrown, request_id: request.id }, 'request failed')
  const exchange = request.exchange ?? createRequestState(request.raw)
  const body = errorBody(error, request.id, exchange)
  reply.code(error.status).headers(error.headers)
  reply.header(
    'content-type',
    `${exchange.asksForProblems ? PROBLEM_MEDIA_TYPE : `application/${exchange.format}`}; charset=utf-8`,
  )
  if (error.status === 401) reply.header('www-authenticate', signIn.challenge(request.headers))
  if (error.status === 503) reply.header('retry-after', error.headers['retry-after'] ?? '1')
  if (error.status === 429) reply.headers(completeLimitHeaders(error))
  if (!exchange.asksForProblems) return reply.send(toFormat(JSON.stringify(body), exchange))
  return reply.send(JSON.stringify(toProblemDetails(body, { publicUrl, instance: pathWithoutSecrets(request) })))
}

/** Input that is not HTTP gets the same error shape. The log has no path, because it may be anything. */
function sendErrorOnSocket(log: FastifyBaseLogger, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new ApiError('header_too_large', { allowed: { maximum: MAX_TOTAL_HEADER_BYTES } })
      : new ApiError('body_malformed')
  const { status } = refusal
  const id = requestId({ headers: {} })
  log.info({ request_id: id, status, address: socket.remoteAddress, code: error.code }, 'a request was not readable')
  const body = JSON.stringify(errorBody(refusal, id))
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': id,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** Tokens, and the secrets of mailed links. */
const SECRET_IN_PATH = /(\/(?:tokens|password_resets|email_verifications|invitations)\/).+/i

function pathWithoutSecrets({ url }: FastifyRequest): string {
  return (url.split('?', 1)[0] ?? '').replace(SECRET_IN_PATH, '$1…')
}

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * One line per request: account, route, duration. Query strings and headers are omitted, because they may contain
 * secrets.
 */
async function logRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { id, method, ip, exchange } = request
  // Probes come every few seconds, and would bury the requests of people.
  const level = PROBES.has(request.routeOptions.url ?? '') ? 'debug' : 'info'
  request.log[level]({
    request_id: id,
    method,
    path: pathWithoutSecrets(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    address: ip,
    account_id: exchange?.viewer.account_id ?? null,
    credential: exchange?.viewer.credential ?? null,
    ...(reply.hasHeader('deprecation') && { deprecated: true }),
  })
}
