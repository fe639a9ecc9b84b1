import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { arrivingBytes } from './arrival.ts'

const server = Fastify()
server.decorate('life', { isEnding: false })
server.removeAllContentTypeParsers()
server.addContentTypeParser('*', (_request, _payload, done) => done(null))
const arrived: string[] = []
server.post('/', async (asked, reply) => {
  const bytes = arrivingBytes(asked, 1000)
  arrived.push(await text(bytes))
  return reply.header('connection', 'close').send(arrived.at(-1))
})
const origin = await server.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => server.close())

function send(length: number) {
  const outgoing = request(origin, { method: 'POST', headers: { 'content-length': length } })
  outgoing.on('error', () => {}) // It is cut on purpose.
  return outgoing
}

async function answerTo(outgoing: ReturnType<typeof send>): Promise<string> {
  const [incoming] = await once(outgoing, 'response')
  return text(incoming)
}

test('a body that comes as a whole is all there', async () => {
  const outgoing = send(10)
  outgoing.write('Hello')
  await pause(700) // Shorter than what counts as silence.
  outgoing.end(' you!')

  expect(await answerTo(outgoing)).toBe('Hello you!')
})

test('a client that falls silent is answered for what has come', async () => {
  const outgoing = send(10)
  outgoing.write('Hello')

  expect(await answerTo(outgoing)).toBe('Hello')
  outgoing.destroy()
})

test('a client that leaves has sent what has come', async () => {
  const outgoing = send(10)
  outgoing.write('Goodb')
  await pause(100)
  outgoing.destroy()

  await expect.poll(() => arrived.at(-1)).toBe('Goodb')
})

test('a server that ends waits for nothing more', async () => {
  const outgoing = send(10)
  outgoing.write('Night')
  await pause(100)
  server.life.isEnding = true

  const began = Date.now()
  expect(await answerTo(outgoing)).toBe('Night')
  expect(Date.now() - began).toBeLessThan(900)
  outgoing.destroy()
})
