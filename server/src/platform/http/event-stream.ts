import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../words/errors.ts'
import { createInFlight, type InFlight } from './in-flight.ts'
import type { AnyCall } from './write.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Those that are open, to be ended when the server is. */
    readonly eventStreams: Set<EventStream>
  }
}

export const EVENT_STREAM = 'text/event-stream'

/** Times in milliseconds. */
export interface StreamLimits {
  /** Between two signs of life. */
  readonly beat: number
  /** Between two words on how far the reader has come, where there is nothing else to tell him. */
  readonly mark: number
  readonly longest: number
  /** How long a reader may leave no room for more. */
  readonly patience: number
  readonly ofAccount: number
  /** Of people without an account. */
  readonly ofAddress: number
}

const LIMITS: StreamLimits = {
  beat: 15_000,
  mark: 60_000,
  longest: 3_600_000,
  patience: 10_000,
  ofAccount: 8,
  ofAddress: 64,
}
const RETRY = 2000
const LAST_WORDS = 5000
const LOOKS = 10

export interface Frame {
  readonly id?: string
  readonly event: string
  /** Absent: there is nothing to say but the rest. */
  readonly data?: unknown
}

type EndReason = 'credentials_expired' | 'unavailable'

/** What a route writes to, once it has let the reader in. */
export interface EventStream {
  readonly limits: StreamLimits
  readonly isOver: boolean
  /** The reader has taken what was sent. Whoever sends more before that keeps it in memory. */
  readonly hasRoom: boolean
  send(frames: readonly Frame[]): void
  /** Says why, so that the reader comes back by his last id, or does not. */
  end(reason: EndReason): void
}

/** Begins to write to a stream; what it returns is called when the stream is over. */
export type Follow = (stream: EventStream) => () => void

/** How a route answers `Accept: text/event-stream`. */
export interface StreamRoute {
  readonly limits: StreamLimits
  /** The route answers with nothing else: whoever does not ask for it by name is refused. */
  readonly isOnly?: true
  /** Refuses as any route does; the stream begins when it returns. */
  open(call: unknown): Promise<Follow>
}

const accounts = new WeakMap<StreamLimits, InFlight>()
const addresses = new WeakMap<StreamLimits, InFlight>()

export function withLimits(limits: Partial<StreamLimits> = {}): StreamLimits {
  const whole = { ...LIMITS, ...limits }
  accounts.set(whole, createInFlight(whole.ofAccount))
  addresses.set(whole, createInFlight(whole.ofAddress))
  return whole
}

/** The server does not wait for streams to end by themselves: it ends them, and their readers go elsewhere. */
export function endStreamsOnClose(server: FastifyInstance): void {
  server.decorate('eventStreams', new Set<EventStream>())
  server.addHook('preClose', async () => {
    for (const stream of server.eventStreams) stream.end('unavailable')
  })
}

/** Refuses as any route does until the first frame; from then on the stream says itself why it ends. */
export async function serveStream(
  route: StreamRoute,
  call: AnyCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { limits } = route
  const { account_id } = call.viewer
  const leave = (account_id === undefined ? addresses : accounts).get(limits)?.enter(account_id ?? request.ip)
  const out = new PassThrough()
  out.once('close', () => leave?.())
  try {
    const follow = await route.open(call)
    if (request.server.life.isEnding) throw new ApiError('unavailable')
    reply.header('content-type', `${EVENT_STREAM}; charset=utf-8`)
    reply.header('x-accel-buffering', 'no').header('connection', 'close')
    if (request.method === 'HEAD') {
      out.destroy()
      return reply.send('')
    }
    begin(openStream(out, reply, limits), out, follow, request.server.eventStreams)
    return reply.send(out)
  } catch (error) {
    out.destroy()
    throw error
  }
}

function begin(stream: EventStream, out: PassThrough, follow: Follow, others: Set<EventStream>): void {
  const { beat, longest, patience } = stream.limits
  others.add(stream)
  const leave = follow(stream)
  let tight = 0
  const timers = [
    setInterval(() => stream.hasRoom && out.write(': beat\n\n'), beat),
    setTimeout(() => stream.end('unavailable'), longest),
    setInterval(() => {
      tight = stream.hasRoom ? 0 : tight + 1
      if (tight > LOOKS) stream.end('unavailable')
    }, patience / LOOKS),
  ]
  out.once('close', () => {
    for (const timer of timers) clearTimeout(timer)
    others.delete(stream)
    leave()
  })
}

function openStream(out: PassThrough, { raw }: FastifyReply, limits: StreamLimits): EventStream {
  out.write(`retry: ${RETRY}\n\n`)
  return {
    limits,
    get isOver() {
      return out.writableEnded || out.destroyed
    },
    get hasRoom() {
      return !this.isOver && !out.writableNeedDrain
    },
    send(frames) {
      if (!this.isOver && frames.length > 0) out.write(frames.map(print).join(''))
    },
    end(reason) {
      if (this.isOver) return
      out.end(print({ event: 'end', data: { reason } }))
      setTimeout(() => raw.destroy(), LAST_WORDS).unref() // Whoever takes nothing does not take this either.
    },
  }
}

function print({ id, event, data }: Frame): string {
  const place = id === undefined ? '' : `id: ${id}\n`
  return `${place}event: ${event}\ndata:${data === undefined ? '' : ` ${JSON.stringify(data)}`}\n\n`
}
