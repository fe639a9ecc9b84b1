import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, pageHeaders, type Print, send } from './answer.ts'
import { type BodyFormat, parseBody, readBytes } from '../wire/body.ts'
import { requireDigest } from '../wire/content-digest.ts'
import { acceptedLanguages, catalogueFor } from '../words/catalogue.ts'
import type { Context } from '../operation/context.ts'
import { ApiError } from '../words/errors.ts'
import { NDJSON, requireNdjson, serveBulk } from './bulk.ts'
import { EVENT_STREAM, serveStream } from './event-stream.ts'
import type { AnswerFormat, Exchange } from './exchange.ts'
import { EXPORT_FORMATS, type ExportFormat, requireWhole, sendExport } from './export.ts'
import { hashRequest, type IdempotencyKey, readIdempotencyKey } from './idempotency.ts'
import { credentialIn, type InFlight } from './in-flight.ts'
import type { InputReader } from './input.ts'
import { answerFormat, requestFormat } from '../wire/media-types.ts'
import type { Reply, Route } from './route.ts'
import { sendContent } from './send-content.ts'
import { sendFile } from './send-file.ts'
import { readSettingsVersion } from '../operation/settings.ts'
import type { SignIn } from './sign-in.ts'
import { chosenMembers, cutAnswer, cutElements, readSparse, type Sparse } from './sparse-answer.ts'
import type { Viewer } from './viewer.ts'
import { type AnyCall, write } from './write.ts'

const NOTHING = Buffer.alloc(0)
const OPENING_BRACE = 0x7b
const GET_BODY = 64 * 1024

type Wanted = AnswerFormat | ExportFormat | typeof EVENT_STREAM

interface Served {
  readonly route: Route
  readonly input: InputReader
  readonly print: Print
  readonly context: Context
  readonly signIn: SignIn
  readonly inFlight: InFlight
  /** Forced by `.ndjson` or `.csv` behind the address. */
  readonly exportAs?: ExportFormat
}

/** Every request passes these steps, in this order; the first that fails answers. Route and method are found already. */
export async function serve(served: Served, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { route, context, inFlight } = served
  const { exchange, headers } = request

  const wanted = served.exportAs ?? exchange.suffix ?? formatOf(route, headers)
  exchange.format = wanted === 'xml' ? 'xml' : 'json'
  if (route.stream?.isOnly && wanted !== EVENT_STREAM) throw new ApiError('not_acceptable')
  const format = bodyFormat(route, headers, exchange)
  // Counted before the database is asked who it is: a crowd of one person would stand there in everybody's way.
  return inFlight.run(credentialIn(headers), async () => {
    const viewer = await identify(served, request)
    if (route.answerHeaders) reply.headers(await route.answerHeaders(context, viewer))
    requireSignedIn(route, viewer, context)
    return inFlight.run(viewer.account_id, () => proceed(served, request, reply, viewer, wanted, format))
  })
}

/** The steps of a request that has its place among those that run. */
async function proceed(
  served: Served,
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: Viewer,
  wanted: Wanted,
  format: BodyFormat | undefined,
): Promise<FastifyReply> {
  const { route, input, context } = served
  const { exchange, headers } = request
  const bytes = takesBody(route) ? await readBytes(request.raw, bodyLimit(route, context)) : NOTHING
  if (takesBody(route)) requireDigest(headers, bytes)
  const raw = parseBody(bytes, format ?? sniffed(bytes, headers))
  const query = input.query(exchange)
  // The dry run that keeps its own form is the one that lists its problems.
  exchange.listsProblems = route.dryRunStatus !== undefined && query['dry_run'] === true
  const body = input.body(raw)
  route.checkBody?.(body)
  if (isExport(wanted)) requireWhole(query)
  const page = input.page(query, exchange, context)
  const key = idempotencyKey(request, viewer, query, bytes)
  const params = input.params(request)
  const origin = { viewer, request_id: request.id, address: request.ip, client_uuid: clientUuid(headers) }
  const sparse = readSparse(route, query, wanted)
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
    ...(chosen && { chosen }),
    ...(sparse && { cut: cutElements(sparse, route) }),
  }

  if (route.bulk) return serveBulk(route.bulk, call, key, request, reply)
  if (route.stream && wanted === EVENT_STREAM) return serveStream(route.stream, call, request, reply)
  if (isExport(wanted)) return sendExport(route, call, wanted, sparse, request, reply)
  if (route.file !== undefined) return sendFile(route.file, await route.handle(call), request, reply)
  if (route.writes) return send(request, reply, await write(route, call, served.print, key), context)
  const found = await route.handle(call)
  if (found.content) return sendContent(found.content, request, reply)
  return send(request, reply, answerOf(served, call, found, sparse, exchange), context)
}

function answerOf(
  { route, print, context }: Served,
  call: AnyCall,
  reply: Reply<unknown>,
  sparse: Sparse | undefined,
  exchange: Exchange,
): Answer {
  if (reply.other !== undefined) return print(reply)
  const whole = { answer: print(reply), found: reply, page: call.page }
  const { answer, found, page } = sparse ? cutAnswer(route, sparse, whole) : whole
  const headers = pageHeaders(found, route.pages, { page, query: call.query }, exchange, context)
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** Who asks, and in which language refusals are worded from here on. */
async function identify({ route, context, signIn }: Served, request: FastifyRequest): Promise<Viewer> {
  const { exchange, headers, ip: address, id: request_id, method } = request
  if (route.signsIn) signIn.requireOwnPage(headers)
  if (route.access === 'no_credentials') await context.settings.seen(await readSettingsVersion(context.db))
  else exchange.viewer = await signIn.authenticate({ headers, method, address, request_id, reads: !route.writes })
  const { viewer } = exchange
  const { language } = context.settings.current
  exchange.language = catalogueFor([viewer.language, ...acceptedLanguages(headers['accept-language']), language])
  return viewer
}

function requireSignedIn(route: Route, viewer: Viewer, { settings }: Context): void {
  if (viewer.account_id !== undefined || route.access === 'no_credentials' || route.staysOpen) return
  if (route.access === 'signed_in' || !settings.current.anonymous_access) throw new ApiError('authentication_required')
}

/** A file or a stream is what it is: `Accept` must only allow it, or decides how a refusal is written. */
function formatOf(route: Route, { accept }: IncomingHttpHeaders): Wanted {
  const other = route.bulk ? NDJSON : route.file
  if (other === undefined) return answerFormat(accept, furtherFormats(route))
  return answerFormat(accept, [other]) === 'xml' ? 'xml' : 'json'
}

function furtherFormats(route: Route): readonly Exclude<Wanted, AnswerFormat>[] {
  return [...(route.exportRows ? EXPORT_FORMATS : []), ...(route.stream ? ([EVENT_STREAM] as const) : [])]
}

function isExport(wanted: Wanted): wanted is ExportFormat {
  return EXPORT_FORMATS.some((format) => format === wanted)
}

/** The body of a GET is no part of the request, unless the route says so. A bulk route reads its own. */
function takesBody(route: Route): boolean {
  return !route.bulk && (route.method !== 'GET' || route.body !== undefined)
}

function bodyLimit({ method }: Route, { settings }: Context): number {
  return method === 'GET' ? GET_BODY : settings.current.body_limit
}

/** Undefined: only the bytes will tell. */
function bodyFormat(route: Route, headers: IncomingHttpHeaders, { format }: Exchange): BodyFormat | undefined {
  if (route.bulk) requireNdjson(requestFormat(headers, hasBody(headers), [NDJSON]), format, hasBody(headers))
  if (!takesBody(route)) return 'json'
  return route.bodySniffed ? undefined : requestFormat(headers, hasBody(headers), [])
}

/** One old client signs in with JSON and names another type. */
function sniffed(bytes: Buffer, headers: IncomingHttpHeaders): BodyFormat {
  return bytes[0] === OPENING_BRACE ? 'json' : requestFormat(headers, bytes.length > 0, [])
}

function hasBody({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return length !== '0' || encoding !== undefined
}

/** Anonymous requests have no account to keep it for, and a dry run has nothing to keep. */
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

/** Names a browser tab; it is no credential. */
function clientUuid({ 'x-client-uuid': given }: IncomingHttpHeaders): string | null {
  return typeof given === 'string' && /^[\w-]{1,64}$/.test(given) ? given : null
}
