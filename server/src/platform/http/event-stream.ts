import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withoutOwner } from '../database/connection-owner.ts'
import { ApiError } from '../messages/errors.ts'
import { createConcurrencyLimit, type ConcurrencyLimit } from './concurrency-limit.ts'
import type { AnyCall } from './route-call.ts'
import type { AccountId } from './viewer.ts'

declare module '../operation/context.ts' {
  interface Context {
    readonly streamPermits: StreamPermits
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Open streams, which end when the server closes. */
    readonly eventStreams: Set<EventStream>
  }
}

export const EVENT_STREAM = 'text/event-stream'

/** Durations are in milliseconds. */
export interface StreamLimits {
  /** Interval of heartbeats. */
  readonly heartbeatMs: number
  /** Interval of cursor frames while no other frames are sent. */
  readonly cursorIntervalMs: number
  readonly maxDurationMs: number
  /** How long a reader may leave the buffer full. */
  readonly stallTimeoutMs: number
  readonly maxPerAccount: number
  /** For anonymous readers. */
  readonly maxPerAddress: number
}

const DEFAULT_STREAM_LIMITS: StreamLimits = {
  heartbeatMs: 15_000,
  cursorIntervalMs: 60_000,
  maxDurationMs: 3_600_000,
  stallTimeoutMs: 10_000,
  maxPerAccount: 8,
  maxPerAddress: 64,
}
const CLIENT_RETRY_MS = 2000
const CLOSE_TIMEOUT_MS = 5000
const STALL_CHECKS = 10

export interface StreamFrame {
  readonly id?: string
  readonly event: string
  /** Absent: the frame has no data. */
  readonly data?: unknown
}

type EndReason = 'credentials_expired' | 'unavailable'

/** An open stream that a route writes to. */
export interface EventStream {
  readonly limits: StreamLimits
  readonly isOver: boolean
  /** The reader has consumed the sent frames. Frames sent before that are buffered in memory. */
  readonly hasRoom: boolean
  send(frames: readonly StreamFrame[]): void
  /** The reason tells the client whether to reconnect with its last id. */
  end(reason: EndReason): void
}

/** Starts writing to a stream; returns the function to call when the stream is over. */
export type StreamSource = (stream: EventStream) => () => void

/** How a route handles `Accept: text/event-stream`. */
export interface StreamRoute {
  readonly limits: StreamLimits
  /** The route has no other representation: other requests are refused. */
  readonly isOnly?: true
  /** Fails as any route does; the stream begins when it returns. */
  open(call: unknown): Promise<StreamSource>
}

/** Counts the open streams of one server. Routes with the same limits share their counts. */
interface StreamPermits {
  /** Takes a permit; returns the function that releases it. */
  acquire(limits: StreamLimits, account: AccountId | undefined, address: string): () => void
}

export function createStreamPermits(): StreamPermits {
  const permits = new WeakMap<StreamLimits, { accounts: ConcurrencyLimit; addresses: ConcurrencyLimit }>()
  return {
    acquire(limits, account, address) {
      const known = permits.get(limits) ?? {
        accounts: createConcurrencyLimit(limits.maxPerAccount),
        addresses: createConcurrencyLimit(limits.maxPerAddress),
      }
      permits.set(limits, known)
      return account === undefined ? known.addresses.acquire(address) : known.accounts.acquire(account)
    },
  }
}

export function toStreamLimits(limits: Partial<StreamLimits> = {}): StreamLimits {
  return { ...DEFAULT_STREAM_LIMITS, ...limits }
}

/** Ends all streams on shutdown instead of waiting; the clients reconnect elsewhere. */
export function endStreamsOnClose(server: FastifyInstance): void {
  server.decorate('eventStreams', new Set<EventStream>())
  server.addHook('preClose', async () => {
    for (const stream of server.eventStreams) stream.end('unavailable')
  })
}

/** Errors before the first frame are those of any route; from then on the stream sends the reason of its end. */
export async function serveStream(
  route: StreamRoute,
  call: AnyCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { limits } = route
  const leave = call.context.streamPermits.acquire(limits, call.viewer.account_id, request.ip)
  const out = new PassThrough()
  out.once('close', leave)
  try {
    const follow = await route.open(call)
    if (request.server.life.isEnding) throw new ApiError('unavailable')
    reply.header('content-type', `${EVENT_STREAM}; charset=utf-8`)
    reply.header('x-accel-buffering', 'no').header('connection', 'close')
    if (request.method === 'HEAD') {
      out.destroy()
      return reply.send('')
    }
    startStream(openStream(out, reply, limits), out, follow, request.server.eventStreams)
    return reply.send(out)
  } catch (error) {
    out.destroy()
    throw error
  }
}

function startStream(stream: EventStream, out: PassThrough, follow: StreamSource, others: Set<EventStream>): void {
  const { heartbeatMs, maxDurationMs, stallTimeoutMs } = stream.limits
  others.add(stream)
  const leave = withoutOwner(() => follow(stream)) // One loop reads for all streams, so no single client owns its connections.
  let stalledChecks = 0
  const timers = [
    setInterval(() => stream.hasRoom && out.write(': beat\n\n'), heartbeatMs),
    setTimeout(() => stream.end('unavailable'), maxDurationMs),
    setInterval(() => {
      stalledChecks = stream.hasRoom ? 0 : stalledChecks + 1
      if (stalledChecks > STALL_CHECKS) stream.end('unavailable')
    }, stallTimeoutMs / STALL_CHECKS),
  ]
  out.once('close', () => {
    for (const timer of timers) clearTimeout(timer)
    others.delete(stream)
    leave()
  })
}

function openStream(out: PassThrough, { raw }: FastifyReply, limits: StreamLimits): EventStream {
  out.write(`retry: ${CLIENT_RETRY_MS}\n\n`)
  return {
    limits,
    get isOver() {
      return out.writableEnded || out.destroyed
    },
    get hasRoom() {
      return !this.isOver && !out.writableNeedDrain
    },
    send(frames) {
      if (!this.isOver && frames.length > 0) out.write(frames.map(formatFrame).join(''))
    },
    end(reason) {
      if (this.isOver) return
      out.end(formatFrame({ event: 'end', data: { reason } }))
      setTimeout(() => raw.destroy(), CLOSE_TIMEOUT_MS).unref() // A reader that consumes nothing does not get the last frame either.
    },
  }
}

function formatFrame({ id, event, data }: StreamFrame): string {
  const place = id === undefined ? '' : `id: ${id}\n`
  return `${place}event: ${event}\ndata:${data === undefined ? '' : ` ${JSON.stringify(data)}`}\n\n`
}
