import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Admission } from './admission.ts'
import type { Turn } from './turn.ts'
import { limitAnonymous } from './anonymous-limit.ts'
import { type RenderedChunks, type RenderedReply, pageHeaders, type RenderReply, sendReply } from './render-reply.ts'
import { type RequestBodyFormat, LONG_BODY_BYTES, parseBody, readBody, requireBodyLength } from '../wire/body.ts'
import { currentOwner } from '../database/connection-owner.ts'
import { requireDigest } from '../wire/content-digest.ts'
import { acceptedLanguages, selectCatalogue } from '../messages/catalogue.ts'
import type { Context } from '../operation/context.ts'
import { ApiError } from '../messages/errors.ts'
import { NDJSON_MEDIA_TYPE, requireBulkFormat, serveBulk } from './bulk.ts'
import { EVENT_STREAM, serveStream } from './event-stream.ts'
import { ANONYMOUS_VIEWER, type AnswerFormat, type RequestState } from './request-state.ts'
import { EXPORT_FORMATS, type ExportFormat, requireUnpaged, sendExport } from './export.ts'
import { hashRequest, type IdempotencyKey, readIdempotencyKey } from './idempotency.ts'
import { getCredential, type ConcurrencyLimit } from './concurrency-limit.ts'
import type { InputReader } from './input.ts'
import { answerFormat, notAcceptable, requestFormat } from '../wire/media-types.ts'
import { isLongList, isPlainList, joinPrinted, printInSlices, renderLongList } from './long-list.ts'
import type { ReadAddress } from './read-address.ts'
import type { Pagination } from './pages.ts'
import type { QueryCosts } from './query-cost.ts'
import type { Route } from './route.ts'
import type { RouteReply, AnyCall } from './route-call.ts'
import { sendContent } from './send-content.ts'
import { sendStoredReply } from './send-stored-reply.ts'
import { resolveName } from './resolve-name.ts'
import { readSettingsVersion } from '../operation/settings.ts'
import type { OwnerCache } from './request-owner.ts'
import type { Credentials, SignIn } from './sign-in.ts'
import { chosenMembers, cutReply, cutElements, readSparse, type Sparse } from './sparse-answer.ts'
import type { RecalledSignIn, Viewer } from './viewer.ts'
import { auditRefusal, write } from './write.ts'

const EMPTY_BODY = Buffer.alloc(0)
const OPENING_BRACE = 0x7b
/** Names of parameters and members that were sent, but not read. */
const IGNORED_HEADER = 'x-waypost-ignored'
const MAX_GET_BODY_BYTES = 64 * 1024
const MAX_ANONYMOUS_BODY_BYTES = 64 * 1024
/** Rows per page from which a request belongs to the slow lane. */
const LARGE_PAGE = 100

type RequestedFormat = AnswerFormat | ExportFormat | typeof EVENT_STREAM

interface ServedRoute {
  readonly route: Route
  readonly input: InputReader
  readonly print: RenderReply
  readonly readAddress: ReadAddress
  readonly context: Context
  /** The same context with the connection pool of streams. */
  readonly streamContext: Context
  readonly signIn: SignIn
  readonly inFlight: ConcurrencyLimit
  readonly admission: Admission
  readonly queryCosts: QueryCosts
  readonly owners: OwnerCache
  /** Forced by the suffix `.ndjson` or `.csv`. */
  readonly exportAs?: ExportFormat
}

/**
 * The steps of every request, in this order; the first one that fails responds. Route and method are resolved already.
 */
export async function serve(served: ServedRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { route, context, signIn, inFlight, admission, owners, queryCosts } = served
  const { exchange, headers } = request

  const requestedFormat = served.exportAs ?? exchange.suffix ?? negotiateFormat(route, headers)
  exchange.format = requestedFormat === 'xml' ? 'xml' : 'json'
  if (route.formats?.stream?.isOnly && requestedFormat !== EVENT_STREAM) throw notAcceptable([EVENT_STREAM])
  const format = bodyFormat(route, headers, exchange)
  // Limit per credential before any database access, so that one client cannot exhaust the pool.
  return inFlight.run(getCredential(headers), () =>
    admission.run(currentOwner() ?? { key: owners.guess(request) }, async (turn) => {
      exchange.turn = turn
      const hasCredentials = route.access !== 'no_credentials' && getCredential(headers) !== undefined
      if (!hasCredentials) refuseLongAnonymousBody(served, request)
      const runAs = async (viewer: Viewer, recalled?: RecalledSignIn) => {
        adoptViewer(served, request, viewer)
        await turn.enter()
        if (route.answerOptions?.headers) reply.headers(await route.answerOptions.headers(context, viewer))
        requireSignedIn(route, viewer, context)
        signIn.requireProjectRoute(viewer, route)
        return inFlight.run(viewer.account_id, () =>
          queryCosts.countFor(viewer, request.ip, turn, () =>
            runRequest(served, turn, request, reply, { viewer, recalled }, requestedFormat, format),
          ),
        )
      }
      // A body can be read once only, and a recalled sign-in may have to run again.
      const mayRecall = route.confirmsSignIn && !takesBody(route, headers)
      const recalled = mayRecall ? signIn.recall(credentialsOf(served, request)) : undefined
      if (recalled) {
        try {
          return await runAs(recalled.viewer, recalled)
        } catch (error) {
          if (reply.sent) throw error
          // The sign-in is checked before the caller is told anything, even an error.
          request.exchange.viewer = ANONYMOUS_VIEWER
        }
      }
      const viewer = await limitAnonymous(context, request, hasCredentials, async () => {
        await turn.enter()
        return identify(served, request)
      })
      return runAs(viewer)
    }),
  )
}

/** By its `Content-Length`, before any database access. Routes that need an account answer 401 later. */
function refuseLongAnonymousBody({ route, context }: ServedRoute, { raw, exchange }: FastifyRequest): void {
  if (mayBeAnonymous(route, context) && takesBody(route, raw.headers))
    requireBodyLength(raw, bodyLimit(route, exchange.viewer, context))
}

interface Caller {
  readonly viewer: Viewer
  readonly recalled: RecalledSignIn | undefined
}

/** The steps after admission. */
async function runRequest(
  served: ServedRoute,
  turn: Turn,
  request: FastifyRequest,
  reply: FastifyReply,
  { viewer, recalled }: Caller,
  requestedFormat: RequestedFormat,
  format: RequestBodyFormat | undefined,
): Promise<FastifyReply> {
  const { route, input, context } = served
  const { exchange, headers } = request
  const bytes = takesBody(route, headers)
    ? await turn.whileWaiting(() => readBody(request.raw, bodyLimit(route, viewer, context)))
    : EMPTY_BODY
  if (takesBody(route, headers)) requireDigest(headers, bytes)
  const raw = await parseBody(bytes, format ?? sniffBodyFormat(bytes, headers))
  const isLong = bytes.length > LONG_BODY_BYTES
  if (isLong) await setImmediate()
  const ignored = new Set<string>()
  const query = input.query(exchange, ignored)
  // A dry run without a report lists its problems in the error.
  exchange.listsProblems = route.dryRun?.emptyStatus !== undefined && query['dry_run'] === true
  const body = input.body(raw, ignored)
  if (ignored.size > 0) reply.header(IGNORED_HEADER, [...ignored].join(', '))
  if (isLong) await setImmediate()
  route.bodyRules?.check?.(body)
  if (isExport(requestedFormat)) requireUnpaged(query)
  const named = await resolveName(route, context, viewer, request)
  const page = input.page(query, exchange, context)
  const key = idempotencyKey(request, viewer, query, bytes)
  const params = input.params(named)
  const isSilent = route.notifies === true && query['notify'] === false
  const client_uuid = clientUuid(headers)
  const origin = { viewer, request_id: request.id, address: request.ip, client_uuid, ...(isSilent && { isSilent }) }
  const sparse = readSparse(route, query, requestedFormat)
  const chosen = chosenMembers(sparse)
  const call: AnyCall = {
    context,
    viewer,
    params,
    query,
    body,
    page,
    headers,
    origin,
    language: exchange.language,
    format: exchange.format,
    ...(recalled && { recalled }),
    ...(chosen && { chosen }),
    ...(sparse && { cut: cutElements(sparse, route) }),
    ...(!sparse &&
      isLargePage(route, page) &&
      isPlainList(route) && {
        printElements: (elements: readonly unknown[]) => printInSlices(route, elements, exchange.format),
      }),
  }

  if (isLargePage(route, page) || isExport(requestedFormat)) await turn.slowDown()
  await requireConfirmation(served, call)
  if (route.bulk) return serveBulk(route.bulk, turn, call, key, request, reply)
  if (route.formats?.stream && requestedFormat === EVENT_STREAM)
    return serveStream(route.formats.stream, { ...call, context: served.streamContext }, request, reply)
  if (isExport(requestedFormat)) return sendExport(route, turn, call, requestedFormat, sparse, request, reply)
  if (route.formats?.file !== undefined) return sendFile(route.formats.file, await route.handle(call), request, reply)
  if (route.writes) return sendReply(request, reply, await write(served, call, key), context)
  const found = await route.handle(call)
  if (recalled && !recalled.isConfirmed) throw new Error('No statement has confirmed the sign-in.')
  if (found.content) return sendContent(found.content, request, reply)
  if (found.stored) return sendStoredReply(request, reply, found.stored)
  return sendReply(request, reply, await renderReadReply(served, call, found, sparse, exchange), context)
}

async function renderReadReply(
  { route, print, context }: ServedRoute,
  call: AnyCall,
  reply: RouteReply<unknown>,
  sparse: Sparse | undefined,
  exchange: RequestState,
): Promise<RenderedReply | RenderedChunks> {
  if (reply.other !== undefined) return print(reply)
  const list = reply.printed
    ? { chunks: joinPrinted(reply.printed, exchange.format), found: reply, page: call.page }
    : isLongList(route, reply) && (await renderLongList(route, reply, call.page, sparse, exchange.format))
  if (list) {
    const { chunks, found, page } = list
    const { status, headers } = print({ ...reply, body: undefined })
    const ofPage = pageHeaders(found, route, { page, query: call.query, body: call.body }, exchange, context)
    return { status, chunks, headers: { ...headers, ...ofPage } }
  }
  const whole = { answer: print(reply), found: reply, page: call.page }
  const { answer, found, page } = sparse ? cutReply(route, sparse, whole) : whole
  const headers = pageHeaders(found, route, { page, query: call.query, body: call.body }, exchange, context)
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** Authenticates the caller. */
async function identify(served: ServedRoute, request: FastifyRequest): Promise<Viewer> {
  const { route, context, signIn } = served
  if (route.signsIn) signIn.requireNotCrossSite(request.headers)
  if (route.access !== 'no_credentials') return signIn.authenticate(credentialsOf(served, request))
  await context.settings.reloadIfChanged(await readSettingsVersion(context.db))
  return ANONYMOUS_VIEWER
}

function credentialsOf({ route }: ServedRoute, request: FastifyRequest): Credentials {
  const { headers, method, ip: address, id: request_id } = request
  return { headers, method, address, request_id, reads: !route.writes }
}

/** The request belongs to this viewer from now on, also its errors and their language. */
function adoptViewer({ context, owners }: ServedRoute, request: FastifyRequest, viewer: Viewer): void {
  const { exchange, headers } = request
  exchange.viewer = viewer
  owners.learn(request, viewer)
  const { language } = context.settings.current
  exchange.language = selectCatalogue([viewer.language, ...acceptedLanguages(headers['accept-language']), language])
}

function mayBeAnonymous({ access, staysOpen }: Route, { settings }: Context): boolean {
  if (access === 'no_credentials' || staysOpen) return true
  return access !== 'signed_in' && settings.current.anonymous_access
}

function requireSignedIn(route: Route, viewer: Viewer, context: Context): void {
  if (viewer.account_id === undefined && !mayBeAnonymous(route, context)) throw new ApiError('authentication_required')
}

/** Routes for anonymous callers verify the password themselves. A refused key or token is audited. */
async function requireConfirmation({ route, signIn }: ServedRoute, call: AnyCall): Promise<void> {
  if (!route.sensitive || call.viewer.account_id === undefined) return
  if (route.sensitive !== true && route.sensitive.unless(call)) return
  try {
    signIn.requireConfirmation(call.viewer)
  } catch (error) {
    if (call.viewer.credential?.kind !== 'session') await auditRefusal(route, call, error)
    throw error
  }
}

/** The type of a file or stream is fixed: `Accept` must allow it, and selects the format of errors. */
function negotiateFormat(route: Route, { accept }: IncomingHttpHeaders): RequestedFormat {
  const other = route.bulk ? NDJSON_MEDIA_TYPE : route.formats?.file
  if (other === undefined) return answerFormat(accept, furtherFormats(route))
  return answerFormat(accept, [other]) === 'xml' ? 'xml' : 'json'
}

function isLargePage({ pages }: Route, { limit }: Pagination): boolean {
  return typeof pages === 'object' && limit > Math.max(LARGE_PAGE, pages.default)
}

function furtherFormats(route: Route): readonly Exclude<RequestedFormat, AnswerFormat>[] {
  return [
    ...(route.formats?.exportRows ? EXPORT_FORMATS : []),
    ...(route.formats?.stream ? ([EVENT_STREAM] as const) : []),
  ]
}

function isExport(requestedFormat: RequestedFormat): requestedFormat is ExportFormat {
  return EXPORT_FORMATS.some((format) => format === requestedFormat)
}

/** A GET without a body is the usual case. A bulk route reads its own. */
function takesBody(route: Route, headers: IncomingHttpHeaders): boolean {
  return !route.bulk && (route.method !== 'GET' || hasBody(headers))
}

/** Callers without valid credentials may send only small bodies, unless the route declares more. */
function bodyLimit(
  { method, bodyRules: { maxAnonymousBytes = MAX_ANONYMOUS_BODY_BYTES } = {} }: Route,
  viewer: Viewer,
  { settings }: Context,
): number {
  if (method === 'GET') return MAX_GET_BODY_BYTES
  const { body_limit } = settings.current
  return viewer.account_id === undefined ? Math.min(maxAnonymousBytes, body_limit) : body_limit
}

/** Undefined: the format depends on the bytes. */
function bodyFormat(
  route: Route,
  headers: IncomingHttpHeaders,
  { format }: RequestState,
): RequestBodyFormat | undefined {
  if (route.bulk) requireBulkFormat(route.bulk, headers, format, hasBody(headers))
  if (!takesBody(route, headers)) return 'json'
  return route.bodyRules?.isSniffed ? undefined : requestFormat(headers, hasBody(headers), [])
}

/** An old client signs in with JSON under another media type. */
function sniffBodyFormat(bytes: Buffer, headers: IncomingHttpHeaders): RequestBodyFormat {
  return bytes[0] === OPENING_BRACE ? 'json' : requestFormat(headers, bytes.length > 0, [])
}

function hasBody({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return length !== '0' || encoding !== undefined
}

/** Anonymous requests have no account to store it for, and a dry run has nothing to store. */
function idempotencyKey(
  { exchange, headers, method }: FastifyRequest,
  { account_id }: Viewer,
  query: Record<string, unknown>,
  bytes: Buffer,
): IdempotencyKey | undefined {
  if (account_id === undefined || method === 'GET' || method === 'HEAD' || query['dry_run'] === true) return undefined
  const key = readIdempotencyKey(headers['idempotency-key'])
  if (key === undefined) return undefined
  const path = exchange.path.toLowerCase()
  return { account_id, method, path, key, request_hash: hashRequest(exchange.query, bytes) }
}

/** Identifies a browser tab; it is not a credential. */
function clientUuid({ 'x-client-uuid': given }: IncomingHttpHeaders): string | null {
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : null
}

/** Responds with a file or a range of it. Browsers save it and never render it as a page of ours. */
function sendFile(
  type: string,
  { file, headers = {} }: RouteReply<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!file) throw new TypeError('The handler of a route with a file gave none.')
  const { name, ...content } = file
  const disposition = `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`
  return sendContent({ ...content, type, headers: { ...headers, 'content-disposition': disposition } }, request, reply)
}
