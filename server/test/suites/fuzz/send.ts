import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import type { WireRequest } from './draft.ts'

export interface WireAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const REQUEST_TIMEOUT_MS = 20_000

export interface WireSender {
  send(message: WireRequest): Promise<WireAnswer>
  /** Sends bytes that may not be HTTP; returns the raw response, empty if the server only disconnected. */
  sendRaw(bytes: string): Promise<string>
  close(): void
}

export function createWireSender(origin: string): WireSender {
  const { hostname: host, port } = new URL(origin)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  return {
    send: (message) => send(message, { host, port, agent }),
    sendRaw: (bytes) => sendRaw(bytes, host, Number(port)),
    close: () => agent.destroy(),
  }
}

function send(
  { method, path, headers, body }: WireRequest,
  place: { host: string; port: string; agent: Agent },
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ ...place, method, path, headers, timeout: REQUEST_TIMEOUT_MS }, (incoming) => {
      const chunks: Buffer[] = []
      const { statusCode: status = 0, headers: answered } = incoming
      const answer = () => ({ status, headers: answered, text: Buffer.concat(chunks).toString() })
      // A stream never ends: its first event is the response.
      const isStream = answered['content-type']?.startsWith('text/event-stream') ?? false
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (!isStream || !/^event: .*\n\n/ms.test(answer().text)) return
        resolve(answer())
        outgoing.destroy()
      })
      incoming.on('error', reject)
      incoming.on('end', () => resolve(answer()))
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error(`No answer within ${REQUEST_TIMEOUT_MS} ms.`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function sendRaw(bytes: string, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    let received = ''
    socket.setTimeout(REQUEST_TIMEOUT_MS, () => socket.destroy(new Error('No answer to raw bytes.')))
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may disconnect before the request is sent.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(received)
      else reject(error)
    })
    socket.on('close', () => resolve(received))
    socket.end(bytes, 'latin1')
  })
}
