import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Context } from '../../platform/operation/context.ts'
import { postToReceiver } from './receiver-connections.ts'
import { createTargetCheck, targetHost, parseTarget } from '../../platform/http/ssrf-guard.ts'

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
const MAX_RESPONSE_BYTES = 65_536

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
    const answer = await postToReceiver(context, target, addresses, { headers, body, signal: ending.signal })
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
