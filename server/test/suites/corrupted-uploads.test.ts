import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestClient } from '../harness/client.ts'
import { startWorld } from '../harness/start-world.ts'
import { TOM } from '../fixtures/people.ts'
import { announce, callBytes, makeFileTracker, patchUpload, TUS } from '../fixtures/uploads.ts'
import { uploadsBy } from '../harness/temporary-files.ts'

// F39: the network truncates an upload, or flips a bit. With `Content-Digest` the client gets an error, and nothing is
// stored.

const { api } = await startWorld({ seedOnce: true })
const line = await openLine(Number(new URL(api.origin).port))
afterAll(() => line.close())
let papers: number
beforeAll(async () => {
  papers = (await makeFileTracker(api)).field('papers')
})

const BYTES = randomBytes(100_000)
const PLACES = Array.from({ length: 10 }, (_, at) => Math.floor((at * (BYTES.length - 1)) / 9))
const digestOf = (bytes: Buffer | string) => ({
  'content-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
  connection: 'close', // The proxy handles one request per connection.
})
const offsetOf = async (id: number) =>
  (await callBytes(api, `/uploads/${id}`, { as: TOM, method: 'HEAD', headers: TUS })).headers.get('upload-offset')

test.each(PLACES)('a flipped bit at byte %i of a part is detected, and the part is discarded', async (place) => {
  const id = await announce(api, papers, BYTES.length, { name: `turned-${place}.bin` })
  const answer = await patchUpload(line.turning(api, place), id, 0, BYTES, { headers: digestOf(BYTES) })

  expect([answer.status, JSON.parse(answer.text).error]).toMatchObject([
    400,
    { reason: 'body_malformed', details: { cause: 'content_digest' } },
  ])
  expect(await offsetOf(id)).toBe('0')
  expect((await patchUpload(api, id, 0, BYTES, { headers: digestOf(BYTES) })).status).toBe(204)
  const { bytes } = await callBytes(api, `/files/${id}/turned-${place}.bin`, { as: TOM })
  expect(bytes.equals(BYTES)).toBe(true)
})

test.each(PLACES)('a connection lost at byte %i of a part stores all of it or nothing', async (place) => {
  const id = await announce(api, papers, BYTES.length, { name: `cut-${place}.bin` })
  const broken = patchUpload(line.cutting(api, place), id, 0, BYTES, { headers: digestOf(BYTES) })

  await expect(broken).rejects.toMatchObject({ code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) })
  await expect.poll(async () => (await patchUpload(api, id, 0, BYTES, { headers: digestOf(BYTES) })).status).toBe(204)
  const { bytes } = await callBytes(api, `/files/${id}/cut-${place}.bin`, { as: TOM })
  expect(bytes.equals(BYTES)).toBe(true)
})

test('a base64 chunk is refused when a bit of its request flips', async () => {
  const tom = uploadsBy(api, TOM)
  const { id } = (await tom.create('AAA')).json
  const body = JSON.stringify({ content: BYTES.toString('base64'), offset: 2 })
  const put = (at: TestClient) =>
    callBytes(at, `/api/artifact_temporary_files/${id}`, {
      as: TOM,
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...digestOf(body) },
      body,
    })
  for (const place of PLACES) {
    const answer = await put(line.turning(api, place))
    expect([answer.status, JSON.parse(answer.text).error.details.cause]).toEqual([400, 'content_digest'])
  }
  expect((await tom.read(id)).json).toEqual({ data: Buffer.from('AAA').toString('base64') })
  expect((await put(api)).status).toBe(200)
})

test('a part with a digest has 16 MiB at most, because it is verified only at its end', async () => {
  const long = Buffer.alloc(16 * 2 ** 20 + 1)
  const id = await announce(api, papers, long.length, { name: 'long.bin' })
  const answer = await patchUpload(api, id, 0, long, { headers: digestOf(long) })

  expect([answer.status, JSON.parse(answer.text).error.details.allowed]).toEqual([413, { maximum: 16 * 2 ** 20 }])
  expect(await offsetOf(id)).toBe('0')
})

/** A proxy between client and server that flips a bit of one byte of a body, or disconnects before it. */
async function openLine(port: number) {
  let turned = Number.POSITIVE_INFINITY
  let cut = Number.POSITIVE_INFINITY
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const each of [client, upstream]) each.on('error', () => each.destroy())
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    upstream.pipe(client)
    let said = Buffer.alloc(0)
    client.on('data', (chunk) => {
      const before = said.length
      said = Buffer.concat([said, chunk])
      const begins = said.indexOf('\r\n\r\n') + 4
      const passed = Buffer.from(said.subarray(0, begins + cut))
      if (begins + turned < passed.length) passed.writeUInt8(passed.readUInt8(begins + turned) ^ 1, begins + turned)
      upstream.write(passed.subarray(before))
      if (passed.length < said.length) for (const each of [client, upstream]) each.destroySoon()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const spoiling = (client: TestClient, turnedAt: number, cutAt: number): TestClient => {
    turned = turnedAt
    cut = cutAt
    return { ...client, origin }
  }
  return {
    turning: (client: TestClient, place: number) => spoiling(client, place, Number.POSITIVE_INFINITY),
    cutting: (client: TestClient, place: number) => spoiling(client, Number.POSITIVE_INFINITY, place),
    close: () => server.close(),
  }
}
