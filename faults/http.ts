import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { answerTo } from '../server/test/harness/client.ts'

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** `unsent`: no server accepted it. `lost`: it may have been processed, but no response arrived. */
export type SendOutcome = HttpAnswer | 'unsent' | 'lost'

export interface Message {
  readonly method: string
  /** The path below `/api`. */
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body?: string | undefined
}

export interface HttpSender {
  send(origin: string, message: Message, timeoutMs?: number): Promise<SendOutcome>
  /** Closes keep-alive connections. */
  end(): void
}

const REQUEST_TIMEOUT_MS = 15_000

/** Sends requests over keep-alive connections, with a timeout. */
export function createHttpSender(): HttpSender {
  const agent = new Agent({ keepAlive: true })
  return {
    async send(origin, { method, path, headers, body }, timeoutMs = REQUEST_TIMEOUT_MS) {
      const outgoing = request(new URL(origin), {
        agent,
        method,
        path: `/api${path}`,
        headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
        signal: AbortSignal.timeout(timeoutMs),
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

/** The reason of a refusal. */
export function reasonOf({ text: body }: HttpAnswer): string {
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
