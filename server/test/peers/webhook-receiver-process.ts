import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

// A webhook receiver in a separate process. It records its requests, and behaves as the URL says.

const received: object[] = []
const seen = new Map<string, number>()
let status = 200
let concurrency = 0
let maxConcurrency = 0

const { TLS_KEY: key, TLS_CERT: cert } = process.env
const server = key && cert ? createTlsServer({ key, cert }, take) : createServer(take)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' && address ? address.port : 0 })
})

process.on('message', (order) => {
  if (typeof order === 'object' && order !== null && 'status' in order) status = Number(order.status)
  if (order === 'forget') {
    received.length = 0
    seen.clear()
    status = 200
    maxConcurrency = 0
  }
  process.send?.({ received, maxConcurrency })
})
process.once('disconnect', () => process.exit())

function take(incoming: IncomingMessage, answer: ServerResponse): void {
  concurrency++
  maxConcurrency = Math.max(maxConcurrency, concurrency)
  void handle(incoming, answer).finally(() => concurrency--)
}

async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
  const body = await text(incoming)
  const { method, headers } = incoming
  const url = new URL(incoming.url ?? '/', 'http://receiver')
  received.push({ method, path: `${url.pathname}${url.search}`, headers, body })
  const [, what, number = ''] = url.pathname.split('/')
  if (what === 'status') {
    const after = url.searchParams.get('retry_after')
    answer.writeHead(Number(number), { 'x-answer': 'said', ...(after !== null && { 'retry-after': after }) })
    answer.end('What a day')
  } else if (what === 'once') {
    // Each event fails the first time.
    const id = String(headers['x-waypost-event-id'])
    seen.set(id, (seen.get(id) ?? 0) + 1)
    answer.writeHead(seen.get(id) === 1 ? Number(number) : 200).end()
  } else if (what === 'redirect') {
    answer.writeHead(302, { location: url.searchParams.get('to') ?? '/' }).end()
  } else if (what === 'endless') {
    answer.writeHead(200)
    for (let sent = 0; sent < 4096 && !answer.destroyed; sent++) {
      answer.write('x'.repeat(65_536))
      await pause(1)
    }
  } else if (what === 'drip') {
    answer.writeHead(200)
    while (!answer.destroyed) {
      answer.write('.')
      await pause(200)
    }
  } else if (what === 'drop') {
    incoming.socket.destroy()
  } else if (what === 'slow') {
    await pause(Number(number))
    answer.writeHead(200).end()
  } else if (what !== 'silent') {
    answer.writeHead(status, { 'content-type': 'text/plain' }).end('Thank you\0')
  }
}
