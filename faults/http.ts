import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { answerTo } from '../server/test/client.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** `unsent`: nobody was there to take it. `lost`: it may have been taken, and nobody told. */
export type Sent = Answer | 'unsent' | 'lost'

export interface Message {
  readonly method: string
  /** Below `/api`. */
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body?: string | undefined
}

export interface Sender {
  send(origin: string, message: Message, patience?: number): Promise<Sent>
  /** Closes what is kept for the next request. */
  end(): void
}

const PATIENCE = 15_000

/** Sends as a client does that keeps its connections, and does not wait for ever. */
export function createSender(): Sender {
  const agent = new Agent({ keepAlive: true })
  return {
    async send(origin, { method, path, headers, body }, patience = PATIENCE) {
      const outgoing = request(new URL(origin), {
        agent,
        method,
        path: `/api${path}`,
        headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
        signal: AbortSignal.timeout(patience),
      })
      try {
        outgoing.end(body)
        const incoming = await answerTo(outgoing)
        return { status: incoming.statusCode ?? 0, headers: incoming.headers, text: await text(incoming) }
      } catch (error) {
        return codeOf(error) === 'ECONNREFUSED' ? 'unsent' : 'lost'
      }
    },
    end: () => agent.destroy(),
  }
}

/** What a refusal says of itself. */
export function reasonOf({ text: body }: Answer): string {
  try {
    const { error }: { error?: { reason?: string } } = JSON.parse(body)
    return error?.reason ?? ''
  } catch {
    return ''
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
