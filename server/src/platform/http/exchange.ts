import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { acceptedLanguages, type Catalogue, catalogueFor } from '../words/catalogue.ts'
import type { Viewer } from './viewer.ts'

export type AnswerFormat = 'json' | 'xml'

/** What is known of one request and its answer while it is served; errors are written in its format and language. */
export interface Exchange {
  /** The prefix that the client used: answers keep it. */
  readonly prefix: string
  /** Without prefix, suffix and trailing slash: `/projects/101`. */
  readonly path: string
  /** The query string as it came. */
  readonly query: string
  /** Forced by `.json` or `.xml` on the last segment. */
  readonly suffix: AnswerFormat | undefined
  format: AnswerFormat
  language: Catalogue
  viewer: Viewer
  /** A refusal lists the sentence of each problem. */
  listsProblems: boolean
}

export const ANONYMOUS: Viewer = { language: null, time_zone: null }

const SUFFIX = /^(\/api\/(?!(?:v1\/)?explorer\/)[^?]*)\.(json|xml)(\/?(?:\?.*)?)$/i
const suffixes = new WeakMap<IncomingMessage, AnswerFormat>()

// As proxies are addressed. The host that stands there means nothing: what we are called is configured.
const HOST = /^https?:\/\/[^/?#]*/i
const ESCAPED_START = /^\/[^/?]*%[^/?]*/

/** Takes `.json` or `.xml` off the address before it is routed, and remembers it. */
export function takeSuffix(request: IncomingMessage): string {
  const url = (request.url ?? '').replace(HOST, '').replace(ESCAPED_START, readable) || '/'
  const [, before, suffix, after = ''] = SUFFIX.exec(url) ?? []
  if (before === undefined) return url
  suffixes.set(request, suffix?.toLowerCase() === 'xml' ? 'xml' : 'json')
  return before + after
}

/** `/%61pi` is `/api`: the router reads it so, and everything that goes by the prefix has to. */
function readable(start: string): string {
  try {
    const decoded = decodeURI(start)
    return /^\/api$/i.test(decoded) ? decoded : start
  } catch {
    return start // The router refuses it.
  }
}

export function openExchange(request: IncomingMessage): Exchange {
  const suffix = suffixes.get(request)
  const [, prefix = '', path = '', query = ''] =
    /^(\/api\/v1(?=\/|\?|$)|\/api(?=\/|\?|$))?([^?]*?)\/?(?:\?(.*))?$/is.exec(request.url ?? '/') ?? []
  return {
    prefix,
    path,
    query,
    suffix,
    format: suffix ?? 'json',
    // Until we know who asks; refusals may come before that.
    language: catalogueFor(acceptedLanguages(request.headers['accept-language'])),
    viewer: ANONYMOUS,
    listsProblems: false,
  }
}

/** A client may name its request; what does not look like a name is replaced. */
export function requestId({ headers: { 'x-request-id': given } }: Pick<IncomingMessage, 'headers'>): string {
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomBytes(10).toString('hex')
}
