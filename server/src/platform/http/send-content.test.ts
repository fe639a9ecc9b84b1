import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { type HttpByteRange, type SendableContent, bufferContent, sendContent } from './send-content.ts'

const server = Fastify()
let content: SendableContent
server.get('/', (asked, reply) => sendContent(content, asked, reply))
const origin = await server.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => server.close())

async function ask(method = 'GET') {
  const outgoing = request(origin, { method }).end()
  const [incoming] = await once(outgoing, 'response')
  return incoming
}

/** Endless zeros, or a number of them and then an error. */
function zeros(until = Infinity): Readable {
  let sent = 0
  return new Readable({
    read(size) {
      sent += size
      if (sent > until) this.destroy(new Error('The disk is gone.'))
      else this.push(Buffer.alloc(size))
    },
  })
}

test('a source that fails during the transfer breaks the connection', async () => {
  content = { size: 10_000_000, type: 'text/plain', open: async () => zeros(1_000_000) }
  const incoming = await ask()
  incoming.resume()

  expect(incoming.statusCode).toBe(200)
  await expect(once(incoming, 'end')).rejects.toThrow(/aborted/)
})

test.each([9, 11])('a source of %i bytes instead of 10 breaks the connection', async (length) => {
  content = {
    size: 10,
    type: 'text/plain',
    open: async () => Readable.from([Buffer.alloc(5), Buffer.alloc(length - 5)]),
  }
  const incoming = await ask()
  incoming.resume()

  await expect(once(incoming, 'end')).rejects.toThrow(/aborted/)
})

test('a source that cannot be opened gives an error response, not a broken one', async () => {
  content = { size: 10, type: 'text/plain', etag: '"x"', open: () => Promise.reject(new Error('It is not there.')) }
  const incoming = await ask()
  incoming.resume()

  expect([incoming.statusCode, incoming.headers.etag]).toEqual([500, undefined])
  await once(incoming, 'end')
})

test('a reader who disconnects closes the source', async () => {
  const source = zeros()
  content = { size: 1e12, type: 'text/plain', open: async () => source }
  const incoming = await ask()
  await once(incoming, 'data')
  incoming.destroy()

  await expect.poll(() => source.destroyed).toBe(true)
})

test('a request that needs no bytes does not open the source', async () => {
  const opened: (HttpByteRange | undefined)[] = []
  const open = async (range?: HttpByteRange) => {
    opened.push(range)
    return bufferContent(Buffer.alloc(10)).open(range)
  }
  content = { size: 10, type: 'text/plain', open }

  expect((await ask('HEAD')).headers['content-length']).toBe('10')
  expect(opened).toEqual([])
  content = { ...content, inFront: '/elsewhere/x' }
  const { headers } = await ask()
  expect([headers['x-accel-redirect'], headers['content-length']]).toEqual(['/elsewhere/x', '0'])
  expect(opened).toEqual([])
})
