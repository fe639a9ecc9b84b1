import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { readRoute } from '../../../src/platform/http/route.ts'
import { ROUTES } from '../../../src/routes.ts'
import { startWorld } from '../../harness/start-world.ts'
import { PASSWORD, TOM } from '../../fixtures/people.ts'

const ROWS = 1200
const ROW_BYTES = 10_000 // 12 MB in all: more than the buffers of both sockets hold.

/** A public list with an export of realistic size, without creating artifacts. */
const listPlums = readRoute({
  method: 'GET',
  path: '/plums',
  operationId: 'listPlums',
  summary: 'List plums.',
  access: 'everyone',
  pages: { default: 10, min: 0, max: 50 },
  answer: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }, { title: 'Plum' })),
  async handle() {
    return { body: [], size: ROWS }
  },
  formats: {
    async exportRows(_call, tx) {
      async function* rows() {
        for (let first = 1; first <= ROWS; first += 100) {
          const { rows: batch } = await sql`select id, repeat('x', ${ROW_BYTES}::int) as name
          from generate_series(${first}::int, ${first}::int + 99) id`.execute(tx)
          yield batch
        }
      }
      return { size: ROWS, rows: rows() }
    },
  },
})
const { api, context } = await startWorld({ routes: [...ROUTES, listPlums] })

const SIGN_IN = { username: TOM.login, password: PASSWORD }
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Starts the export from its own address, and reads only the first bytes. */
async function stall(localAddress: string, path = '/api/plums.ndjson'): Promise<string> {
  const { hostname, port } = new URL(api.origin)
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  sockets.push(socket)
  socket.on('error', () => {}) // A disconnect is one possible end.
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  await once(socket, 'readable')
  return String(socket.read(12)) // The socket stays paused.
}

test('P01 slow readers of exports hold no connection: sign-in and readiness work', async () => {
  const count = context.config.WAYPOST_DATABASE_POOL
  const addresses = Array.from({ length: count }, (_, index) => `127.0.0.${index + 2}`)
  const answers = await Promise.all(addresses.map((address) => stall(address)))

  expect(answers).toEqual(addresses.map(() => 'HTTP/1.1 200'))
  expect((await api.get('/readyz')).status).toBe(200)
  expect((await api.post('/tokens', { body: SIGN_IN })).status).toBe(200)
  expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
})

test('P02 requests, sign-in and readiness do not need the pools of exports, streams and jobs', async () => {
  const { exports, streams, jobs } = context.pools
  const { config } = context
  const sizes = [
    [exports, config.WAYPOST_DATABASE_POOL_EXPORTS],
    [streams, config.WAYPOST_DATABASE_POOL_STREAMS],
    [jobs, config.WAYPOST_DATABASE_POOL_JOBS],
  ] as const
  const held = await Promise.all(
    sizes.flatMap(([pool, size]) => Array.from({ length: size }, () => pool.startTransaction().execute())),
  )
  try {
    expect((await api.get('/readyz')).status).toBe(200)
    expect((await api.post('/tokens', { body: SIGN_IN })).status).toBe(200)
    expect((await api.get('/projects', { as: TOM })).status).toBe(200)
  } finally {
    await Promise.all(held.map((tx) => tx.rollback().execute()))
  }
})

test('P03 one anonymous address runs two exports at a time', async () => {
  await Promise.all([stall('127.0.0.2'), stall('127.0.0.2')])

  expect(await stall('127.0.0.2')).toBe('HTTP/1.1 429')
  expect(await stall('127.0.0.3')).toBe('HTTP/1.1 200')
  for (const socket of sockets.splice(0)) socket.destroy()
  await expect.poll(() => stall('127.0.0.2')).toBe('HTTP/1.1 200')
})
