import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { CustomFetch, CustomFetchOptions } from 'openid-client'
import { parseTarget, pinnedLookup, targetHost } from '../../platform/http/ssrf-guard.ts'
import type { Context } from '../../platform/operation/context.ts'
import type { ProviderSettings } from './provider-settings.ts'
import { describeConnectionError } from './connection-errors.ts'
import { isLoopbackHost } from './provider-rules.ts'
import { findReachableAddresses } from './reachable-addresses.ts'

export const PROVIDER_TIMEOUT_MS = 5000
const MAX_ANSWER_BYTES = 512 * 1024
const MAX_HEADER_BYTES = 16_384

/** Why a request to a provider failed before it answered. */
export class ProviderUnreachable extends Error {
  readonly kind: 'address' | 'name' | 'network' | 'time' | 'size'

  constructor(kind: ProviderUnreachable['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

type Trust = Pick<ProviderSettings, 'issuer' | 'is_internal'>

/**
 * The fetch of all requests to a provider: only to checked addresses, without redirects and proxies, bounded in time and
 * size. Discovery names further addresses, so that each request is checked, not the issuer alone.
 */
export function createProviderFetch(context: Context, trust: Trust): CustomFetch {
  return (url, options) => context.identityMemory.limit(() => fetchFromProvider(context, trust, url, options))
}

async function fetchFromProvider(
  context: Context,
  trust: Trust,
  given: string,
  { method, headers, body, signal }: CustomFetchOptions,
): Promise<Response> {
  const { target, addresses } = await checkProviderTarget(context, trust, given)
  const limit = AbortSignal.timeout(PROVIDER_TIMEOUT_MS)
  const content = toBody(body)
  const host = targetHost(target)
  const options = {
    method,
    host,
    port: target.port || (target.protocol === 'https:' ? 443 : 80),
    path: `${target.pathname}${target.search}`,
    headers: {
      ...headers,
      host: target.host,
      ...(content !== undefined && { 'content-length': Buffer.byteLength(content) }),
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    lookup: pinnedLookup(addresses),
    agent: false as const,
    signal: signal ? AbortSignal.any([limit, signal]) : limit,
  }
  const answered = Promise.withResolvers<IncomingMessage>()
  const outgoing =
    target.protocol === 'https:'
      ? tlsRequest({ ...options, rejectUnauthorized: true, ...(isIP(host) === 0 && { servername: host }) })
      : plainRequest(options)
  outgoing.once('response', answered.resolve).once('error', answered.reject).end(content)
  try {
    return await readResponse(await answered.promise)
  } catch (error) {
    if (error instanceof ProviderUnreachable) throw error
    if (limit.aborted) throw new ProviderUnreachable('time', `${target.host} did not answer within 5 seconds.`)
    throw new ProviderUnreachable(
      'network',
      `${target.host} cannot be reached: ${describeConnectionError(error, 'NODE_EXTRA_CA_CERTS')}.`,
    )
  } finally {
    outgoing.destroy()
  }
}

/** The addresses of a provider's host, if this platform may call it. */
async function checkProviderTarget(context: Context, { issuer, is_internal }: Trust, given: string) {
  const target = parseTarget(given)
  if (!target) throw new ProviderUnreachable('address', `${given.slice(0, 200)} is not an address that may be called.`)
  const host = targetHost(target)
  if (target.protocol !== 'https:' && !(is_internal && isLoopbackHost(host)))
    throw new ProviderUnreachable('address', `${target.host} is not called without https.`)
  const isOwnHost = is_internal && host === targetHost(new URL(issuer))
  const addresses = await findReachableAddresses(context, host, isOwnHost)
  if (addresses === 'unknown') throw new ProviderUnreachable('name', `The name ${host} does not resolve.`)
  if (addresses === 'private')
    throw new ProviderUnreachable(
      'address',
      `${target.host} has an address inside of a private network. For a provider of your own, set \`is_internal\`.`,
    )
  return { target, addresses }
}

async function readResponse(incoming: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > MAX_ANSWER_BYTES) throw new ProviderUnreachable('size', 'The answer of the provider is too large.')
    chunks.push(bytes)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  const status = incoming.statusCode ?? 502
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers })
}

function toBody(body: CustomFetchOptions['body']): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('Requests to a provider have a form or a text as body.')
}
