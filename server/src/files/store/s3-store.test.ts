import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { pieceKey, StoreFull } from './blob-store.ts'
import { createS3Store } from './s3-store.ts'
import { assertStreamLength } from './assert-stream-length.ts'

// A misbehaving server; blob-store.test.ts covers the regular behaviour.
type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void
let answers: Answer[] = []
let asked: { method: string; path: string; headers: IncomingMessage['headers']; body: Buffer }[] = []
const peer = createServer((request, response) => void answer(request, response))
peer.on('checkContinue', (request, response: ServerResponse) => {
  response.writeContinue()
  void answer(request, response)
})
peer.listen(0, '127.0.0.1')
await once(peer, 'listening')
afterAll(() => {
  peer.closeAllConnections()
  peer.close()
})
beforeEach(() => {
  answers = []
  asked = []
})

const address = peer.address()
const blobs = createS3Store({
  bucket: 'bucket',
  prefix: 'some/where',
  region: 'us-east-1',
  endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
  credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
})

test('a response that breaks off is an error for its reader, not the end', async () => {
  answers = [
    (_request, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 })
      response.write(randomBytes(400_000), () => setTimeout(() => response.destroy(), 50))
    },
  ]
  const content = await blobs.get(pieceKey(randomUUID()))

  await expect(buffer(content)).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('a response that is shorter than requested is refused', async () => {
  answers = [
    (_request, response) => {
      response.writeHead(206, { 'content-length': 3, 'content-range': 'bytes 0-2/3' }).end('abc')
    },
  ]

  await expect(blobs.get(pieceKey(randomUUID()), { first: 0, last: 9 })).rejects.toThrow(RangeError)
})

test('a server that ignores ranges is refused', async () => {
  answers = [(_request, response) => response.writeHead(200, { 'content-length': 10 }).end('0123456789')]

  await expect(blobs.get(pieceKey(randomUUID()), { first: 2, last: 3 })).rejects.toThrow(RangeError)
})

test('a stream ends after all bytes, and fails if bytes are missing or the peer stalls', async () => {
  expect((await buffer(assertStreamLength(Readable.from([Buffer.from('abc')]), 3))).toString()).toBe('abc')
  await expect(buffer(assertStreamLength(Readable.from([Buffer.from('abc')]), 4))).rejects.toThrow(
    '1 of 4 bytes are missing',
  )

  const silent = new Readable({ read() {} })
  silent.push('abc')
  await expect(buffer(assertStreamLength(silent, 4, 100))).rejects.toThrow('No byte came for 100 ms')
  expect(silent.destroyed).toBe(true)
})

test('a slow reader does not time out, and a reader who leaves closes the source', async () => {
  const portions = Array.from({ length: 10 }, () => randomBytes(65_536)) // More than the buffers between the two hold.
  const slow = assertStreamLength(Readable.from(portions), 655_360, 40)
  await pause(200)
  expect((await buffer(slow)).equals(Buffer.concat(portions))).toBe(true)

  const endless = new Readable({ read() {} })
  assertStreamLength(endless, 3).destroy()
  await expect.poll(() => endless.destroyed).toBe(true)
})

test('a put that fails midway is sent again completely', async () => {
  answers = [
    (_request, response) => response.destroy(),
    (_request, response) => response.writeHead(503).end(fault('SlowDown')),
    (_request, response) => response.writeHead(200, { etag: '"x"' }).end(),
  ]
  const content = randomBytes(300_000)
  const { size, digest } = await blobs.put(pieceKey(randomUUID()), Readable.from([content]))

  expect({ size, digest }).toEqual({ size: 300_000, digest: createHash('sha256').update(content).digest('hex') })
  expect(asked).toHaveLength(3)
  expect(asked.every(({ body }) => body.equals(content))).toBe(true)
  expect(asked[2]).toMatchObject({
    method: 'PUT',
    path: expect.stringMatching(/^\/bucket\/some\/where\/pieces\/[\w-]{36}(\?|$)/),
    headers: {
      'content-length': '300000',
      'content-md5': createHash('md5').update(content).digest('base64'),
    },
  })
})

test('a put fails if every attempt fails', async () => {
  answers = Array.from(
    { length: 9 },
    (): Answer => (_request, response) => response.writeHead(500).end(fault('InternalError')),
  )

  await expect(blobs.put(pieceKey(randomUUID()), Readable.from([Buffer.from('x')]))).rejects.toMatchObject({
    name: 'InternalError',
  })
  expect(asked).toHaveLength(3)
})

test.each([
  [403, 'QuotaExceeded'],
  [507, 'InsufficientStorage'],
  [507, 'SomethingElse'],
  [507, 'XMinioStorageFull'],
])('a server that responds %i %s is full', async (status, code) => {
  answers = Array.from({ length: 9 }, (): Answer => (_request, response) => response.writeHead(status).end(fault(code)))

  await expect(blobs.put(pieceKey(randomUUID()), Readable.from([Buffer.from('x')]))).rejects.toBeInstanceOf(StoreFull)
  await expect(blobs.move(pieceKey(randomUUID()), pieceKey(randomUUID()))).rejects.toBeInstanceOf(StoreFull)
})

test('a refusal is neither retried nor taken for a full store or a missing blob', async () => {
  answers = Array.from(
    { length: 9 },
    (): Answer => (_request, response) => response.writeHead(403).end(fault('AccessDenied')),
  )

  await expect(blobs.put(pieceKey(randomUUID()), Readable.from([Buffer.from('x')]))).rejects.toMatchObject({
    name: 'AccessDenied',
  })
  expect(asked).toHaveLength(1)
  await expect(blobs.sizeOf(pieceKey(randomUUID()))).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } })
})

test('a copy that fails after a 200 keeps the source', async () => {
  answers = Array.from(
    { length: 9 },
    (): Answer => (_request, response) => response.writeHead(200).end(fault('AccessDenied')),
  )

  await expect(blobs.move(pieceKey(randomUUID()), pieceKey(randomUUID()))).rejects.toMatchObject({
    name: 'AccessDenied',
  })
  expect(asked.filter(({ method }) => method === 'DELETE')).toEqual([])
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request)
  asked.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
  const next = answers.shift()
  if (next) next(request, response, body)
  else response.writeHead(404).end()
}

function fault(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>no</Message></Error>`
}
