import {
  Agent as PlainAgent,
  type ClientRequest,
  type ClientRequestArgs,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
} from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import type { Context } from '../../platform/operation/context.ts'
import { createTargetCheck, targetHost, parseTarget } from './ssrf-guard.ts'

/** The result of one attempt. */
export interface RequestOutcome {
  /** Null: there was no response. */
  readonly status: number | null
  readonly error: string | null
  readonly duration_ms: number
  readonly headers: IncomingHttpHeaders | null
  readonly body: string | null
  /** The target is not allowed: nothing was sent, and a retry would not help. */
  readonly isRefused: boolean
}

const REQUEST_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 5000
const MAX_RESPONSE_BYTES = 65_536
const MAX_HEADER_BYTES = 16_384

/** Idle connections are kept for less time than usual receivers keep theirs. */
const KEPT = { keepAlive: true, maxFreeSockets: 4, timeout: 4000 }

/** The addresses that were checked for a request. */
interface CheckedTarget extends ClientRequestArgs {
  readonly checked?: string
}

// A connection is used again only if the host has the same checked addresses as when it was opened. No proxy.
class PlainPool extends PlainAgent {
  override getName(options?: CheckedTarget): string {
    return `${super.getName(options)}:${options?.checked}`
  }
}
class TlsPool extends TlsAgent {
  override getName(options?: CheckedTarget): string {
    return `${super.getName(options)}:${options?.checked}`
  }
}
const plainPool = new PlainPool(KEPT)
const tlsPool = new TlsPool({ ...KEPT, maxCachedSessions: 0 })

/** Sends one request and reads the response. Never throws, follows no redirects, and ends within 10 seconds. */
export async function sendOutboundRequest(
  context: Context,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<RequestOutcome> {
  const begun = performance.now()
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), REQUEST_TIMEOUT_MS)
  const result = (known: Partial<RequestOutcome>): RequestOutcome => ({
    status: null,
    error: null,
    headers: null,
    body: null,
    isRefused: false,
    ...known,
    duration_ms: Math.round(performance.now() - begun),
  })
  try {
    const target = parseTarget(url)
    const addresses = target && (await resolveAllowedAddresses(context, target, ending.signal))
    if (!target || !addresses) return result({ error: 'refused_target', isRefused: true })
    const answer = await postTo(target, addresses, { headers, body, signal: ending.signal })
    const text = await readLimitedBody(answer)
    return result({ status: answer.statusCode ?? 0, headers: answer.headers, body: text })
  } catch (error) {
    const code = ending.signal.aborted ? 'timeout' : networkErrorCode(error)
    ending.abort()
    return result({ error: code })
  } finally {
    clearTimeout(timer)
  }
}

/** The current addresses of the host; undefined: at least one of them is not allowed. */
async function resolveAllowedAddresses(
  { settings, addressesOf }: Context,
  target: URL,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const host = targetHost(target)
  const mayReach = createTargetCheck(settings.current.webhook_private_targets)
  const addresses = isIP(host) === 0 ? await unlessAborted(addressesOf(host), signal) : [host]
  return addresses.length > 0 && addresses.every(mayReach) ? addresses : undefined
}

interface OutgoingRequest {
  readonly headers: Record<string, string>
  readonly body: string
  readonly signal: AbortSignal
}

function postTo(target: URL, addresses: readonly string[], sent: OutgoingRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const begin = (isKept: boolean) => {
    const outgoing = openRequest(target, addresses, sent, isKept)
    const slow = setTimeout(
      () => outgoing.destroy(Object.assign(new Error(), { code: 'connect_timeout' })),
      CONNECT_TIMEOUT_MS,
    )
    outgoing.on('socket', (socket) => {
      if (outgoing.reusedSocket) clearTimeout(slow)
      else socket.once(target.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(slow))
    })
    outgoing.on('error', (error) => {
      clearTimeout(slow)
      // The receiver closed the idle connection meanwhile, so the request hardly arrived; receivers drop repeated ids.
      if (outgoing.reusedSocket && isClosed(error)) begin(false)
      else reject(error)
    })
    outgoing.on('response', (answer) => {
      clearTimeout(slow)
      resolve(answer)
    })
    outgoing.end(sent.body)
  }
  begin(true)
  return promise
}

function openRequest(
  target: URL,
  addresses: readonly string[],
  { headers, body, signal }: OutgoingRequest,
  isKept: boolean,
): ClientRequest {
  const host = targetHost(target)
  const isTls = target.protocol === 'https:'
  const options = {
    method: 'POST',
    host,
    port: target.port || (isTls ? 443 : 80),
    path: `${target.pathname}${target.search}`,
    headers: { ...headers, host: target.host, 'content-length': String(Buffer.byteLength(body)) },
    maxHeaderSize: MAX_HEADER_BYTES,
    // Connects to the checked addresses without a second DNS lookup (DNS rebinding).
    lookup: pinnedLookup(addresses),
    checked: addresses.toSorted().join(),
    signal,
  }
  if (!isTls) return plainRequest({ ...options, agent: isKept && plainPool })
  const named = isIP(host) === 0 && { servername: host }
  return tlsRequest({ ...options, agent: isKept && tlsPool, rejectUnauthorized: true, ...named })
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}

function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, options, callback) => {
    const [first] = found
    if (options.all || !first) callback(null, found)
    else callback(null, first.address, first.family)
  }
}

/** The beginning of the response; an endless or slow one is cut off. */
async function readLimitedBody(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes.subarray(0, MAX_RESPONSE_BYTES - size))
      size += bytes.length
      if (size >= MAX_RESPONSE_BYTES) break
    }
  } catch {
    // The status is known already, so the attempt still counts.
  }
  answer.destroy()
  return Buffer.concat(chunks).toString().replaceAll('\0', '\uFFFD') // PostgreSQL stores no NUL.
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new Error('aborted'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Only the code: the message would reveal the address of the host. */
function networkErrorCode(error: unknown): string {
  if (error instanceof AggregateError) return networkErrorCode(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'network_error'
}
