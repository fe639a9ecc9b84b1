import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { acceptedLanguages, type Catalogue, selectCatalogue } from '../messages/catalogue.ts'
import { acceptsProblemDetails } from '../wire/media-types.ts'
import type { Turn } from './turn.ts'
import type { Viewer } from './viewer.ts'

export type AnswerFormat = 'json' | 'xml'

/** State of a request while it is served; errors use its format and language. */
export interface RequestState {
  /** The prefix of the request; links in the response keep it. */
  readonly prefix: string
  /** Without prefix, suffix and trailing slash: `/projects/101`. A name in it is replaced by its id. */
  path: string
  /** The raw query string. */
  readonly query: string
  /** Forced by `.json` or `.xml` on the last segment. */
  readonly suffix: AnswerFormat | undefined
  format: AnswerFormat
  /** Errors are written as problem details (RFC 9457). */
  readonly asksForProblems: boolean
  language: Catalogue
  viewer: Viewer
  /** Its place in the order of requests, until the response is sent. */
  turn?: Turn
  /** Error responses list a message for each problem. */
  listsProblems: boolean
}

export const ANONYMOUS_VIEWER: Viewer = { language: null, time_zone: null }

/** Documents whose name ends with a suffix keep it. */
const SUFFIX = /^(\/api\/(?!(?:v1\/)?(?:explorer\/|schemas\/|openapi\.json))[^?]*)\.(json|xml)(\/?(?:\?.*)?)$/i
const suffixes = new WeakMap<IncomingMessage, AnswerFormat>()

// Absolute-form request target, as sent to proxies. Its host is ignored: the public address is configured.
const HOST = /^https?:\/\/[^/?#]*/i
const ESCAPED_START = /^\/[^/?]*%[^/?]*/

/** Strips `.json` or `.xml` from the address before routing, and stores it. */
export function stripFormatSuffix(request: IncomingMessage): string {
  const url = (request.url ?? '').replace(HOST, '').replace(ESCAPED_START, decodeApiPrefix) || '/'
  const [, before, suffix, after = ''] = SUFFIX.exec(url) ?? []
  if (before === undefined) return url
  suffixes.set(request, suffix?.toLowerCase() === 'xml' ? 'xml' : 'json')
  return before + after
}

/** `/%61pi` is `/api` to the router, so prefix checks must decode it too. */
function decodeApiPrefix(start: string): string {
  try {
    const decoded = decodeURI(start)
    return /^\/api$/i.test(decoded) ? decoded : start
  } catch {
    return start // The router refuses it.
  }
}

export function createRequestState(request: IncomingMessage): RequestState {
  const suffix = suffixes.get(request)
  const [, prefix = '', path = '', query = ''] =
    /^(\/api\/v1(?=\/|\?|$)|\/api(?=\/|\?|$))?([^?]*?)\/?(?:\?(.*))?$/is.exec(request.url ?? '/') ?? []
  return {
    prefix,
    path,
    query,
    suffix,
    format: suffix ?? 'json',
    asksForProblems: suffix === undefined && acceptsProblemDetails(request.headers.accept),
    // Until the account is known; errors may occur before that.
    language: selectCatalogue(acceptedLanguages(request.headers['accept-language'])),
    viewer: ANONYMOUS_VIEWER,
    listsProblems: false,
  }
}

/** A client may choose the request id; invalid ones are replaced. */
export function requestId({ headers: { 'x-request-id': given } }: Pick<IncomingMessage, 'headers'>): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomHex()
}

/** 20 digits. Unlike `randomBytes`, `randomUUID` does not ask the kernel each time. */
function randomHex(): string {
  return randomUUID().replaceAll('-', '').slice(12)
}
