import {
  Agent as PlainAgent,
  type ClientRequest,
  type ClientRequestArgs,
  type IncomingMessage,
  request as plainRequest,
} from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { Context } from '../../platform/operation/context.ts'
import { pinnedLookup, targetHost } from '../../platform/http/ssrf-guard.ts'

const CONNECT_TIMEOUT_MS = 5000
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

declare module '../../platform/operation/context.ts' {
  interface Context {
    readonly receiverConnections: ReceiverConnections
  }
}

/** Idle connections to the receivers of webhooks and jobs. */
export interface ReceiverConnections {
  readonly plain: PlainAgent
  readonly tls: TlsAgent
}

export function createReceiverConnections(): ReceiverConnections {
  return { plain: new PlainPool(KEPT), tls: new TlsPool({ ...KEPT, maxCachedSessions: 0 }) }
}

interface OutgoingRequest {
  readonly headers: Record<string, string>
  readonly body: string
  readonly signal: AbortSignal
}

/** Sends the request to one of the checked addresses. */
export function postToReceiver(
  { receiverConnections }: Context,
  target: URL,
  addresses: readonly string[],
  sent: OutgoingRequest,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const begin = (isKept: boolean) => {
    const outgoing = openRequest(target, addresses, sent, isKept && receiverConnections)
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
  kept: ReceiverConnections | false,
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
  if (!isTls) return plainRequest({ ...options, agent: kept && kept.plain })
  const named = isIP(host) === 0 && { servername: host }
  return tlsRequest({ ...options, agent: kept && kept.tls, rejectUnauthorized: true, ...named })
}

function isClosed(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}
