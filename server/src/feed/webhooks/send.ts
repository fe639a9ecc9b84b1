import { Agent as PlainAgent, type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import type { Context } from '../../platform/operation/context.ts'
import { createTargetCheck, hostOf, parseTarget } from './targets.ts'

/** What came of one attempt. */
export interface Outcome {
  /** Null: there was no answer. */
  readonly status: number | null
  readonly error: string | null
  readonly duration_ms: number
  readonly headers: IncomingHttpHeaders | null
  readonly body: string | null
  /** The target may not be reached: nothing was sent, and nothing will be. */
  readonly isRefused: boolean
}

const WHOLE = 10_000
const CONNECT = 5000
const MOST_BYTES = 65_536
const MOST_HEADER_BYTES = 16_384

// Each delivery has a connection of its own, to an address that was looked at; none comes from a pool or through a proxy.
const plainAgent = new PlainAgent({ keepAlive: false })
const tlsAgent = new TlsAgent({ keepAlive: false, maxCachedSessions: 0 })

/** Sends one request and reads what is said to it. It never throws, follows nothing, and ends within 10 seconds. */
export async function send(
  context: Context,
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<Outcome> {
  const begun = performance.now()
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(), WHOLE)
  const result = (told: Partial<Outcome>): Outcome => ({
    status: null,
    error: null,
    headers: null,
    body: null,
    isRefused: false,
    ...told,
    duration_ms: Math.round(performance.now() - begun),
  })
  try {
    const target = parseTarget(url)
    const addresses = target && (await reachable(context, target, ending.signal))
    if (!target || !addresses) return result({ error: 'refused_target', isRefused: true })
    const answer = await ask(target, addresses, { headers, body, signal: ending.signal })
    const text = await readSome(answer)
    return result({ status: answer.statusCode ?? 0, headers: answer.headers, body: text })
  } catch (error) {
    return result({ error: ending.signal.aborted ? 'timeout' : codeOf(error) })
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}

/** Where the name leads at this moment; undefined: somewhere, be it one of several, where nothing may be sent. */
async function reachable(
  { settings, addressesOf }: Context,
  target: URL,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const host = hostOf(target)
  const mayReach = createTargetCheck(settings.current.webhook_private_targets)
  const addresses = isIP(host) === 0 ? await unlessAborted(addressesOf(host), signal) : [host]
  return addresses.length > 0 && addresses.every(mayReach) ? addresses : undefined
}

interface Sent {
  readonly headers: Record<string, string>
  readonly body: string
  readonly signal: AbortSignal
}

function ask(target: URL, addresses: readonly string[], { headers, body, signal }: Sent): Promise<IncomingMessage> {
  const host = hostOf(target)
  const isTls = target.protocol === 'https:'
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = {
    method: 'POST',
    host,
    port: target.port || (isTls ? 443 : 80),
    path: `${target.pathname}${target.search}`,
    headers: { ...headers, host: target.host, 'content-length': String(Buffer.byteLength(body)), connection: 'close' },
    maxHeaderSize: MOST_HEADER_BYTES,
    // To what was looked at, and to nothing else: the name is not asked for again.
    lookup: answerWith(addresses),
    signal,
  }
  const outgoing = isTls
    ? tlsRequest({
        ...options,
        agent: tlsAgent,
        rejectUnauthorized: true,
        ...(isIP(host) === 0 && { servername: host }),
      })
    : plainRequest({ ...options, agent: plainAgent })
  const slow = setTimeout(() => outgoing.destroy(Object.assign(new Error(), { code: 'connect_timeout' })), CONNECT)
  outgoing.on('socket', (socket) => {
    socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(slow))
  })
  outgoing.on('error', (error) => {
    clearTimeout(slow)
    reject(error)
  })
  outgoing.on('response', (answer) => {
    clearTimeout(slow)
    resolve(answer)
  })
  outgoing.end(body)
  return promise
}

function answerWith(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, options, callback) => {
    const [first] = found
    if (options.all || !first) callback(null, found)
    else callback(null, first.address, first.family)
  }
}

/** The beginning of an answer; one that never ends, or comes drop by drop, is cut off. */
async function readSome(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of answer) {
      const bytes = Buffer.from(chunk)
      chunks.push(bytes.subarray(0, MOST_BYTES - size))
      size += bytes.length
      if (size >= MOST_BYTES) break
    }
  } catch {
    // What he said first counts: the status.
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

/** By its code only: the message would tell to which address a name leads. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'network_error'
}
