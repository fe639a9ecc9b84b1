import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'

interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface RawExchange {
  /** All responses, in order. */
  readonly answers: readonly RawAnswer[]
  /** The server closed the connection. */
  readonly closed: boolean
  readonly took: number
}

const ANSWER_TIMEOUT_MS = 5000

/** Sends raw bytes, and reads until the server closes or is silent for a while after its response. */
export async function exchangeRaw(
  origin: string,
  bytes: string | Buffer | AsyncIterable<string | Buffer>,
  silenceMs = 300,
): Promise<RawExchange> {
  const socket = await openSocket(origin)
  const began = performance.now()
  const received: Buffer[] = []
  const state = { closed: false, answered: false, last: began }
  socket.on('data', (chunk: Buffer) => {
    received.push(chunk)
    state.answered = true
    state.last = performance.now()
  })
  socket.on('error', () => {}) // Some cases expect to be disconnected while sending.
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => {
      state.closed = true
      resolve()
    })
  })
  socket.on('end', () => socket.end())
  await write(socket, bytes)
  while (!state.closed && performance.now() - state.last < (state.answered ? silenceMs : ANSWER_TIMEOUT_MS))
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))])
  socket.destroy()
  return { answers: parse(Buffer.concat(received).toString('latin1')), closed: state.closed, took: state.last - began }
}

export async function openSocket(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  return socket
}

async function write(socket: Socket, bytes: string | Buffer | AsyncIterable<string | Buffer>): Promise<void> {
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) {
    socket.write(bytes)
    return
  }
  for await (const part of bytes) {
    if (!socket.writable) return
    if (!socket.write(part))
      await Promise.race([
        new Promise((resolve) => socket.once('drain', resolve)),
        new Promise((resolve) => socket.once('close', resolve)),
      ])
  }
}

/** A stream may contain several responses. */
function parse(stream: string): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = stream; rest.startsWith('HTTP/1.1 '); ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) break
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const pairs = lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line) ?? [])
    const headers = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name.toLowerCase(), value]))
    const length = Number(headers['content-length'] ?? 0)
    const text = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString()
    answers.push({ status: Number(first.split(' ')[1]), headers, text })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
