import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A stream has minutes; what comes in its own time is only ever late when nothing comes at all (`arrivingBytes`). */
    body?: 'stream' | 'in_its_own_time'
  }
}

const USUAL = 30_000
const OF_STREAM = 11 * 60_000
const SILENCE = 30_000

/** A body that does not arrive in time is as good as none. */
export function limitArrival(
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
  // Once it is answered, nobody reads what still comes.
  if (body === 'in_its_own_time') reply.raw.once('finish', () => watch(USUAL))
  else watch(body === 'stream' ? OF_STREAM : USUAL)
}

/**
 * The bytes of a body, for as long as they come: when the client leaves or falls silent, or when the server ends, this
 * ends too, and what has come is worth keeping.
 */
export function arrivingBytes({ raw, server }: FastifyRequest, silence = SILENCE): Readable {
  const bytes = new PassThrough()
  let heard = Date.now()
  const end = () => {
    raw.unpipe(bytes)
    bytes.end()
  }
  const watch = setInterval(() => {
    if (bytes.readableLength + bytes.writableLength > 0) heard = Date.now() // It is us who take our time.
    if (server.life.isEnding || Date.now() - heard >= silence) end()
  }, LOOK)
  raw.on('data', () => {
    heard = Date.now()
  })
  raw.once('error', end).once('close', end)
  bytes.once('close', () => {
    clearInterval(watch)
    raw.off('error', end).off('close', end).unpipe(bytes)
    raw.on('error', () => {}).resume() // What still comes is for nobody.
  })
  return raw.pipe(bytes)
}

const LOOK = 500
