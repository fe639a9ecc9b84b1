import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isRecord } from '../wire/schema-shape.ts'
import type { Context } from './context.ts'
import type { Secrets } from './secrets.ts'

const REQUEST_HEADER = 'x-waypost-probe'
const ANSWER_HEADER = 'x-waypost-probed'
const PURPOSE = 'proxy probe'
const MAX_AGE_MS = 60_000

/** How a request of `waypost doctor` reached the server. */
export interface ProbedConnection {
  /** The port of the peer: if it is not that of the doctor's socket, there is a proxy in between. */
  readonly peer_port: number
  readonly peer: string
  /** The peer is in `WAYPOST_TRUSTED_PROXIES`. */
  readonly is_trusted: boolean
  readonly forwarded_for: string | null
}

/** Signed and short-lived, so that no other client learns how the server is connected. */
export function probeHeaders(secrets: Secrets, now: Date): Record<string, string> {
  const text = `${now.getTime()}.${randomUUID()}`
  return { [REQUEST_HEADER]: `${text}.${secrets.sign(PURPOSE, text)}` }
}

export function answerProbe(request: FastifyRequest, reply: FastifyReply, { secrets }: Pick<Context, 'secrets'>): void {
  const given = request.headers[REQUEST_HEADER]
  if (typeof given !== 'string' || !isSigned(secrets, given)) return
  const { remoteAddress = '', remotePort = 0 } = request.raw.socket
  const probed: ProbedConnection = {
    peer: remoteAddress,
    peer_port: remotePort,
    // Forwarded addresses count only if the peer is trusted; the doctor always sends one.
    is_trusted: (request.ips ?? []).length > 1,
    forwarded_for: request.headers['x-forwarded-for']?.toString() ?? null,
  }
  reply.header(ANSWER_HEADER, JSON.stringify(probed))
}

function isSigned(secrets: Secrets, given: string): boolean {
  const [time = '', id = '', signature = ''] = given.split('.')
  // The doctor runs on the same machine, so the system clock is comparable.
  return secrets.verify(PURPOSE, `${time}.${id}`, signature) && Math.abs(Date.now() - Number(time)) < MAX_AGE_MS
}

/** Undefined: the response is not from this installation, or from an older version. */
export function readProbed(headers: Readonly<Record<string, unknown>>): ProbedConnection | undefined {
  const text = headers[ANSWER_HEADER]
  if (typeof text !== 'string') return undefined
  const found: unknown = JSON.parse(text)
  if (!isRecord(found)) return undefined
  const { peer, peer_port, is_trusted, forwarded_for } = found
  return {
    peer: String(peer),
    peer_port: Number(peer_port),
    is_trusted: is_trusted === true,
    forwarded_for: typeof forwarded_for === 'string' ? forwarded_for : null,
  }
}
