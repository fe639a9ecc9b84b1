import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/platform/database/db.ts'
import { createTestDatabase } from '../../harness/database.ts'
import { TOM } from '../../fixtures/people.ts'
import { refused } from '../../harness/refused.ts'
import { seed } from '../../fixtures/seed.ts'
import { startServerProcess } from '../../harness/server-process.ts'
import { attack, checkAnswer, stateDigest } from './attack.ts'
import { exchangeRaw, type RawExchange } from './raw-socket.ts'

const MEGABYTE = 1024 * 1024

// A separate process, so that its memory can be measured.
const database = await createTestDatabase()
const db = openDatabase({ connectionString: database.ownerUrl })
await seed(db)
const server = await startServerProcess({ WAYPOST_DATABASE_URL: database.appUrl, WAYPOST_LOG_LEVEL: 'error' })
const { api } = server
const { origin } = api
const world = { api, context: { db } }
afterAll(async () => {
  await server.stop()
  await db.destroy()
})

const HOST = 'Host: waypost.example\r\n'
const KEY = `X-Auth-AccessKey: ${TOM.key}\r\n`
const CLOSE = 'Connection: close\r\n'
const PASSWORD_CHANGE = `PUT /api/users/self/password HTTP/1.1\r\n${HOST}${KEY}`
/** The smuggled request: if it is executed, Tom has no keys any more. */
const SMUGGLED = `DELETE /api/access_keys/${TOM.key_id} HTTP/1.1\r\n${HOST}${KEY}\r\n`

test('A20 a header of a megabyte is 431, and the connection ends', async () => {
  for (const name of ['Authorization', 'X-Auth-AccessKey', 'Cookie', 'X-Anything']) {
    const exchange = await exchangeRaw(
      origin,
      `GET /api/projects HTTP/1.1\r\n${HOST}${name}: ${'a'.repeat(MEGABYTE)}\r\n\r\n`,
    )
    expectRefused(exchange, [431])
    expect(exchange.closed).toBe(true)
  }
  const address = await exchangeRaw(origin, `GET /api/projects?a=${'a'.repeat(MEGABYTE)} HTTP/1.1\r\n${HOST}\r\n`)
  expectRefused(address, [431])
})

describe('a body above the limit', () => {
  const head = (more: string) => `${PASSWORD_CHANGE}Content-Type: application/json\r\n${more}\r\n\r\n`
  async function* flood(first: string, megabytes: number) {
    yield first
    const chunk = `${MEGABYTE.toString(16)}\r\n${' '.repeat(MEGABYTE)}\r\n`
    for (let count = 0; count < megabytes; count++) yield chunk
  }

  test('I02 is refused by its length, before it is read', async () => {
    const exchange = await exchangeRaw(origin, head(`Content-Length: ${9 * MEGABYTE}`))
    expectRefused(exchange, [413])
    expect(exchange.closed).toBe(true)
  })

  test('I02/chunked is cut off at the limit, and uses no memory', async () => {
    const before = residentMegabytes()
    const little = await exchangeRaw(origin, flood(head('Transfer-Encoding: chunked'), 9))
    expectRefused(little, [413])
    for (let round = 0; round < 3; round++) {
      const { answers, closed } = await exchangeRaw(origin, flood(head('Transfer-Encoding: chunked'), 64))
      // A client that keeps sending is disconnected, and may lose the response.
      for (const { status } of answers) expect(status).toBe(413)
      expect(closed).toBe(true)
    }
    expect(residentMegabytes() - before).toBeLessThan(64)
  })

  test('I02/false is never trusted for its announced length', async () => {
    const shorter = await exchangeRaw(origin, `${head('Content-Length: 2')}{}${' '.repeat(9 * MEGABYTE)}`)
    for (const { status } of shorter.answers) expect(status).toBe(400) // The first request, and the rest, which is not HTTP.
    expect(shorter.closed).toBe(true)
    for (const length of ['-1', '1e9', '0x10', '18446744073709551616', '99999999999999999999', '2 2', ''])
      expectRefused(await exchangeRaw(origin, `${head(`Content-Length: ${length}`)}{}`, 100), [400, 413])
  })
})

const ZEROS = Buffer.alloc(64 * MEGABYTE, '0')
const BOMBS = { br: brotliCompressSync(ZEROS.subarray(0, 4 * MEGABYTE)), gzip: gzipSync(ZEROS) }

test.each(['gzip', 'br', 'deflate', 'zstd', 'compress', 'gzip, gzip', 'x-unknown'])(
  'I03 a body with encoding %s is not decompressed',
  async (encoding) => {
    const packed = encoding === 'br' ? BOMBS.br : BOMBS.gzip
    const before = residentMegabytes()
    const head = `POST /api/password_resets HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Encoding: ${encoding}\r\n`
    const exchange = await exchangeRaw(
      origin,
      Buffer.concat([Buffer.from(`${head}Content-Length: ${packed.length}\r\n\r\n`), packed]),
      100,
    )
    expectRefused(exchange, [415])
    expect(residentMegabytes() - before).toBeLessThan(64)
  },
)

describe('request smuggling', () => {
  const post = (headers: string, body: string) =>
    `POST /api/password_resets HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}\r\n${body}`
  const length = SMUGGLED.length
  const cases: [what: string, bytes: string][] = [
    ['CL.TE', post(`Content-Length: ${length + 5}\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${SMUGGLED}`)],
    [
      'TE.CL',
      post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `${length.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`),
    ],
    ['two lengths', post(`Content-Length: 0\r\nContent-Length: ${length}\r\n`, SMUGGLED)],
    ['two equal lengths', post('Content-Length: 0\r\nContent-Length: 0\r\n', SMUGGLED)],
    ['a list of lengths', post(`Content-Length: 0, ${length}\r\n`, SMUGGLED)],
    ['a length with a sign', post('Content-Length: +0\r\n', SMUGGLED)],
    ['two encodings', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['an unknown encoding', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['chunked not last', post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['a space before the colon', post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['a folded header', post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['a vertical tab in the encoding', post('Transfer-Encoding: \x0bchunked\r\n', `0\r\n\r\n${SMUGGLED}`)],
    ['a NUL in a header', post('X-A: a\0b\r\nContent-Length: 0\r\n', SMUGGLED)],
    ['a bare CR', post('X-A: a\rTransfer-Encoding: chunked\r\nContent-Length: 0\r\n', SMUGGLED)],
    ['bare LF between headers', post('Content-Length: 0\n', SMUGGLED).replaceAll('\r\n', '\n')],
    ['a chunk size with a sign', post('Transfer-Encoding: chunked\r\n', `-1\r\n${SMUGGLED}`)],
    ['a chunk size of hex with 0x', post('Transfer-Encoding: chunked\r\n', `0x0\r\n\r\n${SMUGGLED}`)],
    ['a chunk size beyond all', post('Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n${SMUGGLED}`)],
    ['bare LF after a chunk size', post('Transfer-Encoding: chunked\r\n', `0\n\n${SMUGGLED}`)],
    ['a chunk longer than it says', post('Transfer-Encoding: chunked\r\n', `1\r\n{}\r\n0\r\n\r\n${SMUGGLED}`)],
    ['a megabyte of chunk extension', post('Transfer-Encoding: chunked\r\n', `1;${'a'.repeat(MEGABYTE)}\r\n`)],
    ['no host', 'GET /api/projects HTTP/1.1\r\n\r\n'],
    ['a space before the first header', `GET /api/projects HTTP/1.1\r\n X: y\r\n${HOST}\r\n`],
  ]

  test.each(cases)('I29 %s: is refused or is one request, and the rest is never executed', async (what, bytes) => {
    const before = await stateDigest({ db })
    const exchange = await exchangeRaw(origin, bytes, 150)
    const statuses = exchange.answers.map(({ status }) => status)
    expect(statuses, what).toHaveLength(1)
    expectRefused(exchange, [400, 413, 431])
    expect(exchange.closed, what).toBe(true)
    expect(await stateDigest({ db })).toEqual(before)
  })
})

describe('methods', () => {
  test.each(['get', 'Get', 'GETT', 'PROPFIND', 'MKCOL', 'TRACE', 'TRACK', 'DEBUG', 'PURGE', 'PRI', ''])(
    'I28/raw %s is refused',
    async (method) => {
      const exchange = await exchangeRaw(origin, `${method} /api/projects HTTP/1.1\r\n${HOST}${KEY}${CLOSE}\r\n`)
      expectRefused(exchange, [400, 404, 405])
      expect(exchange.answers[0]?.text).not.toContain('orchard')
    },
  )

  test.each([
    ['X-HTTP-Method-Override: DELETE'],
    ['X-Method-Override: DELETE'],
    ['X-HTTP-Method: DELETE'],
    ['X-Original-Url: /api/settings'],
    ['X-Rewrite-Url: /api/settings'],
  ])('I28/override %s is ignored', async (header) => {
    const before = await stateDigest({ db })
    const path = `/api/access_keys/${TOM.key_id}`
    const { answers } = await exchangeRaw(origin, `GET ${path} HTTP/1.1\r\n${HOST}${KEY}${CLOSE}${header}\r\n\r\n`)
    expect(answers).toMatchObject([{ status: 200 }])
    const named = `${path}?_method=DELETE&http_method=DELETE`
    expectRefused(await exchangeRaw(origin, `GET ${named} HTTP/1.1\r\n${HOST}${KEY}${CLOSE}${header}\r\n\r\n`), [400])
    const posted = await exchangeRaw(
      origin,
      `POST ${path} HTTP/1.1\r\n${HOST}${KEY}${CLOSE}${header}\r\nContent-Length: 0\r\n\r\n`,
    )
    expectRefused(posted, [405])
    expect(await stateDigest({ db })).toEqual(before)
  })
})

describe('the request target', () => {
  test('I27/absolute a URL with another host is one of ours, or refused', async () => {
    for (const target of [
      'http://evil.example/api/projects',
      'https://evil.example/',
      '//evil.example/api/projects',
      '*',
    ]) {
      const { answers } = await exchangeRaw(origin, `GET ${target} HTTP/1.1\r\n${HOST}${KEY}${CLOSE}\r\n`)
      expect(answers).toHaveLength(1)
      for (const answer of answers) {
        checkAnswer(answer, target, target)
      }
    }
  })

  test('I02/reuse a refused request does not affect the next one of its connection', async () => {
    await attack(world, async (send) => {
      for (let round = 0; round < 5; round++) {
        expect(await send('PUT', '/users/self/password', { as: TOM, body: '{' })).toMatchObject(
          refused(400, 'body_malformed'),
        )
        expect((await send('GET', '/users/self', { as: TOM })).json.id).toBe(TOM.id)
      }
    })
  })
})

test('I29/alive the process still serves afterwards', async () => {
  expect((await api.get('/users/self', { as: TOM })).json.id).toBe(TOM.id)
})

function expectRefused({ answers, took }: RawExchange, statuses: readonly number[]): void {
  expect(answers).toHaveLength(1)
  for (const answer of answers) {
    checkAnswer(answer, 'raw')
    expect(statuses).toContain(answer.status)
  }
  expect(took).toBeLessThan(15_000)
}

function residentMegabytes(): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
