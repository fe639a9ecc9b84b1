import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { parametersRecord, fastcgiRecord, wholeRequest } from '../../../test/suites/fuzz/fastcgi-requests.ts'
import { fuzzFastCgi } from '../../../test/suites/fuzz/fuzz-fastcgi.ts'
import { type Parameters, serveFastCgi } from './fastcgi.ts'

const received: Parameters[] = []
const server = createServer({ allowHalfOpen: true }, (socket) =>
  serveFastCgi(
    socket,
    async (parameters) => {
      received.push(parameters)
      if (parameters.get('REMOTE_USER') === 'mallory') throw new Error('Not to be answered.')
      return `Status: 200 OK\r\n\r\nHello ${parameters.get('REMOTE_USER')}`
    },
    { requestTimeoutMs: 300, responseTimeoutMs: 300 },
  ),
)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const port = typeof address === 'object' && address ? address.port : 0
afterAll(() => new Promise((resolve) => server.close(resolve)))
beforeEach(() => void received.splice(0))

/** Sends these chunks over a new connection. Resolves with the whole response when the server closes it. */
async function exchange(chunks: readonly Buffer[], { keepOpen = false } = {}): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: !keepOpen })
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  socket.on('error', () => {})
  for (const chunk of chunks) socket.write(chunk)
  if (!keepOpen) socket.end()
  socket.on('end', () => socket.destroy())
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}
const greeting = () => exchange([wholeRequest({ REMOTE_USER: 'tom' })], { keepOpen: true })

describe('V01 a bad record closes its own connection, and the next request is answered', () => {
  const begin = fastcgiRecord(1, 1, Buffer.from([0, 2, 0, 0, 0, 0, 0, 0]))
  const end = fastcgiRecord(4, 1, Buffer.alloc(0))
  test.each<[string, Buffer]>([
    ['25 bytes: a length that is cut off', Buffer.concat([begin, fastcgiRecord(4, 1, Buffer.from([0x80])), end])],
    ['a name without a value', Buffer.concat([begin, fastcgiRecord(4, 1, Buffer.from([1])), end])],
    [
      'a value that is longer than the request',
      Buffer.concat([begin, fastcgiRecord(4, 1, Buffer.from([1, 120, 65])), end]),
    ],
    ['lengths of 2 GiB', Buffer.concat([begin, fastcgiRecord(4, 1, Buffer.from('ffffffffffffffff', 'hex')), end])],
    ['a NUL in a value', Buffer.concat([begin, parametersRecord({ REMOTE_USER: 'to\0m' }), end])],
    ['parameters before the beginning', Buffer.concat([parametersRecord({ REMOTE_USER: 'tom' }), end])],
    ['a second beginning', Buffer.concat([begin, begin, end])],
    ['an abort', Buffer.concat([begin, fastcgiRecord(2, 1, Buffer.alloc(0))])],
    ['another version', Buffer.from([9, 1, 0, 1, 0, 8, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0])],
    ['another role', fastcgiRecord(1, 1, Buffer.from([0, 1, 0, 0, 0, 0, 0, 0]))],
    ['a request without a number', fastcgiRecord(1, 0, Buffer.from([0, 2, 0, 0, 0, 0, 0, 0]))],
    ['parameters of another request', Buffer.concat([begin, fastcgiRecord(4, 2, Buffer.alloc(0))])],
    ['an unknown type', Buffer.concat([begin, fastcgiRecord(77, 1, Buffer.alloc(0))])],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['one that the server cannot answer', wholeRequest({ REMOTE_USER: 'mallory' })],
  ])('%s', async (_name, bytes) => {
    expect(await exchange([bytes], { keepOpen: true })).toBe('')
    expect(await greeting()).toContain('Hello tom')
  })
})

test('a request is parsed from any split into chunks, and bytes after it are ignored', async () => {
  const bytes = wholeRequest({ REMOTE_USER: 'tom', REMOTE_PASSWD: 'x'.repeat(300), EMPTY: '' })
  const single = Array.from(bytes, (byte) => Buffer.from([byte]))
  expect(await exchange(single)).toContain('Hello tom')
  expect(await exchange([Buffer.concat([bytes, bytes, Buffer.alloc(100_000, 7)])])).toContain('Hello tom')
  expect(received.map((parameters) => parameters.get('REMOTE_PASSWD')?.length)).toEqual([300, 300])
})

test('V02 a connection that sends half a request, or does not close, times out', async () => {
  const bytes = wholeRequest({ REMOTE_USER: 'tom' })
  const began = Date.now()
  expect(await exchange([bytes.subarray(0, 30)], { keepOpen: true })).toBe('')
  expect(await exchange([], { keepOpen: true })).toBe('')
  expect(await greeting()).toContain('Hello tom')
  expect(Date.now() - began).toBeLessThan(10_000)
  await expect.poll(() => new Promise((resolve) => server.getConnections((_, count) => resolve(count)))).toBe(0)
})

test('V02 a connection buffers at most 256 KiB, and is closed beyond that', async () => {
  const begin = fastcgiRecord(1, 1, Buffer.from([0, 2, 0, 0, 0, 0, 0, 0]))
  const part = fastcgiRecord(4, 1, Buffer.alloc(60_000, 0))
  expect(await exchange([begin, ...Array.from({ length: 20 }, () => part)], { keepOpen: true })).toBe('')
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`N${at}`, '']))
  expect(await exchange([wholeRequest(many)], { keepOpen: true })).toBe('')
  expect(received).toEqual([])
})

test('V03 20,000 fuzzed inputs do no harm', { timeout: 300_000 }, async () => {
  const { inputs, faults, answered } = await fuzzFastCgi({ seed: 1, count: 20_000 })
  expect({ inputs, faults }).toEqual({ inputs: 20_000, faults: [] })
  expect(answered).toBeGreaterThan(1000)
})
