import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { openBodyStream } from './body-timeout.ts'

const IDLE_TIMEOUT_MS = 3000
const server = Fastify()
server.decorate('life', { isEnding: false })
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', (_request, _payload, done) => done(null))
const arrived: string[] = []
let received = 0
server.post('/', async (asked, reply) => {
  received = 0
  const bytes = openBodyStream(asked, IDLE_TIMEOUT_MS)
  asked.raw.on('data', (chunk: Buffer) => (received += chunk.length))
  arrived.push(await text(bytes))
  return reply.header('connection', 'close').send(arrived.at(-1))
})
const origin = await server.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => server.close())

function send(length: number) {
  const outgoing = request(origin, { method: 'POST', headers: { 'content-length': length } })
  outgoing.on('error', () => {}) // The connection is cut on purpose.
  return outgoing
}

async function answerTo(outgoing: ReturnType<typeof send>): Promise<string> {
  const [incoming] = await once(outgoing, 'response')
  return text(incoming)
}

test('a body that is sent without pauses arrives completely', async () => {
  const outgoing = send(10)
  outgoing.write('Hello')
  await pause(700) // Shorter than the idle timeout.
  outgoing.end(' you!')

  expect(await answerTo(outgoing)).toBe('Hello you!')
})

test('a client that stops sending gets a response for the bytes that arrived', async () => {
  const outgoing = send(10)
  outgoing.write('Hello')

  expect(await answerTo(outgoing)).toBe('Hello')
  outgoing.destroy()
})

test('the bytes of a client that disconnects are kept', async () => {
  const outgoing = send(10)
  received = 0
  outgoing.write('Goodb')
  await expect.poll(() => received).toBe(5)
  outgoing.destroy()

  await expect.poll(() => arrived.at(-1)).toBe('Goodb')
})

test('a server that shuts down does not wait for the rest', async () => {
  const outgoing = send(10)
  received = 0
  outgoing.write('Night')
  await expect.poll(() => received).toBe(5)
  server.life.isEnding = true

  const began = Date.now()
  expect(await answerTo(outgoing)).toBe('Night')
  expect(Date.now() - began).toBeLessThan(IDLE_TIMEOUT_MS)
  outgoing.destroy()
})
