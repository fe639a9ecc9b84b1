import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `stream`: a timeout of minutes; `in_its_own_time`: only an idle timeout (`openBodyStream`). */
    body?: 'stream' | 'in_its_own_time'
  }
}

const BODY_TIMEOUT_MS = 30_000
const STREAM_BODY_TIMEOUT_MS = 11 * 60_000
const IDLE_TIMEOUT_MS = 30_000

/** Closes the connection if the body does not arrive in time. */
export function startBodyTimeout(
  { raw, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  refuse: (socket: IncomingMessage['socket']) => void,
): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = raw.headers
  if (length === '0' && encoding === undefined) return
  const { body } = routeOptions.config ?? {}
  const giveUp = () => {
    if (raw.complete) return
    if (!reply.raw.headersSent) refuse(raw.socket)
    raw.socket.destroySoon()
  }
  const watch = (time: number) => {
    const timer = setTimeout(giveUp, time).unref()
    raw.once('close', () => clearTimeout(timer))
  }
  // After the response, the rest of the body is not read any more.
  if (body === 'in_its_own_time') reply.raw.once('finish', () => watch(BODY_TIMEOUT_MS))
  else watch(body === 'stream' ? STREAM_BODY_TIMEOUT_MS : BODY_TIMEOUT_MS)
}

/**
 * The bytes of a body for as long as they arrive. Ends without an error if the client disconnects or is idle, or the
 * server shuts down: the bytes until then are worth keeping.
 */
export function openBodyStream({ raw, server }: FastifyRequest, idleTimeoutMs = IDLE_TIMEOUT_MS): Readable {
  const bytes = new PassThrough()
  let lastDataAt = Date.now()
  const end = () => {
    raw.unpipe(bytes)
    bytes.end()
  }
  const watch = setInterval(() => {
    if (bytes.readableLength + bytes.writableLength > 0) lastDataAt = Date.now() // The delay is on our side.
    if (server.life.isEnding || Date.now() - lastDataAt >= idleTimeoutMs) end()
  }, IDLE_CHECK_INTERVAL_MS)
  raw.on('data', () => {
    lastDataAt = Date.now()
  })
  raw.once('error', end).once('close', end)
  bytes.once('close', () => {
    clearInterval(watch)
    raw.off('error', end).off('close', end).unpipe(bytes)
    raw.on('error', () => {}).resume() // Discards the rest of the body.
  })
  return raw.pipe(bytes)
}

const IDLE_CHECK_INTERVAL_MS = 500
