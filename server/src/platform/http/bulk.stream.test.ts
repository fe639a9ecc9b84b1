import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { namedLines, NDJSON_HEADERS, startSampleBulkRoutes } from '../../../test/fixtures/sample-bulk-routes.ts'
import { OLGA, TOM } from '../../../test/fixtures/people.ts'

const { api, seen, send, startAnother } = await startSampleBulkRoutes()

describe('a bulk request as a stream', () => {
  /** A request whose body is sent in pieces. */
  const open = (path: string, person = TOM) => {
    const outgoing = request(new URL(`/api${path}`, api.origin), {
      method: 'POST',
      headers: { ...NDJSON_HEADERS, 'x-auth-accesskey': person.key },
    })
    let text = ''
    const answered = new Promise<{ text: string; wasCut: boolean }>((resolve) => {
      outgoing.on('error', () => resolve({ text, wasCut: true }))
      outgoing.on('response', (incoming) => {
        incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
        incoming.on('error', () => resolve({ text, wasCut: true }))
        incoming.on('end', () => resolve({ text, wasCut: false }))
      })
    })
    return { outgoing, answered, received: () => text }
  }

  test('responds to a batch before the next one was sent', async () => {
    const { outgoing, answered, received } = open('/trios/1/bulk')
    outgoing.write('{"name":"1"}\n{"name":"2"}\n')
    await pause(150)
    expect(received()).toBe('')
    outgoing.write('{"name":"3"}\n{"name":"4"}\n')
    await expect.poll(() => received().split('\n')).toHaveLength(4)
    outgoing.end()
    expect((await answered).text).toContain('"lines":4')
  })

  test('is limited to one at a time per account and path', async () => {
    const { outgoing, answered } = open('/trios/1/bulk')
    outgoing.write('{"name":"1"}\n{"name":"2"}\n{"name":"3"}\n{"name":"4"}\n')
    await expect.poll(() => seen.parts.length).toBe(1)
    expect((await send('/trios/1/bulk', namedLines('x'))).status).toBe(429)
    expect((await send('/trios/1/bulk', namedLines('y'), { as: OLGA })).status).toBe(200)
    expect((await send('/trios/2/bulk', namedLines('z'))).status).toBe(200)
    outgoing.end()
    await answered
    expect((await send('/trios/1/bulk', namedLines('x'))).status).toBe(200)
  })

  test('does not run an incomplete batch', async () => {
    const { outgoing, answered } = open('/trios/1/bulk')
    outgoing.write('{"name":"1"}\n{"name":"2"}\n{"name":"3"}\n{"name":"4"}\n')
    await expect.poll(() => seen.parts.length).toBe(1)
    outgoing.destroy()
    await answered
    await pause(100)
    expect(seen.parts).toHaveLength(1)
    await expect.poll(async () => (await send('/trios/1/bulk', namedLines('5'))).status).toBe(200)
  })

  test('ends in an orderly way when its time is over', async () => {
    const { outgoing, answered } = open('/hasty/1/bulk')
    outgoing.write('{"name":"1"}\n{"name":"2"}\n{"name":"3"}\n')
    const { text } = await answered
    expect(text.split('\n').at(-2)).toBe('{"done":{"lines":2,"succeeded":2,"unchanged":0,"failed":0,"stopped":true}}')
    outgoing.destroy()
  })

  test('disconnects a client that does not read', async () => {
    const socket = connect(Number(new URL(api.origin).port), '127.0.0.1')
    const { promise: closed, resolve } = Promise.withResolvers<string>()
    let received = ''
    socket.on('data', (chunk) => (received += chunk.toString()))
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
    socket.pause()
    const body = Array.from(
      { length: 60 },
      (_, number) => `${JSON.stringify({ name: `${number} ${'x'.repeat(1_000_000)}` })}\n`,
    ).join('')
    socket.write(
      `POST /api/deaf/1/bulk?dry_run=true HTTP/1.1\r\nHost: x\r\nX-Auth-AccessKey: ${TOM.key}\r\n` +
        `Content-Type: application/x-ndjson\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
    await expect.poll(() => seen.parts.length).toBeGreaterThan(1)
    await pause(1500)
    expect(seen.parts.length).toBeLessThan(30)
    expect((await send('/deaf/1/bulk', namedLines('after'))).status).toBe(200) // The permit was released.
    socket.resume()
    expect((await closed).slice(-5)).not.toBe('0\r\n\r\n')
  })

  test('stops between batches when the server shuts down', async () => {
    const { server, api: other } = await startAnother()
    server.life.isEnding = true
    const answer = await send('/trios/1/bulk', namedLines('1', '2', '3', '4'), {}, other)
    expect(answer.done).toEqual({ lines: 3, succeeded: 3, unchanged: 0, failed: 0, stopped: true })
  })
})
