import Fastify from 'fastify'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { openDatabase } from '../database/db.ts'
import { sequenceEvents } from '../database/sequence-events.ts'
import { serveHealth } from './health.ts'
import { createNetworkCheck } from './networks.ts'

const unmigrated = await createTestDatabase()
const { api, context } = await startWorld()
const { api: proxied } = await startWorld({
  environment: { WAYPOST_METRICS_FROM: '10.0.0.0/8', WAYPOST_TRUSTED_PROXIES: '127.0.0.1' },
})

describe('/healthz', () => {
  test('responds to everyone while the process lives', async () => {
    const { status, headers, json } = await api.get('/healthz', { headers: { 'x-auth-accesskey': 'nonsense' } })

    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(json).toEqual({ status: 'ok' })
  })
})

describe('/readyz', () => {
  test('is ok if the database is reachable and migrated', async () => {
    const { status, json } = await api.get('/readyz')

    expect(status).toBe(200)
    expect(json).toEqual({ status: 'ok', feed_unsequenced_seconds: expect.any(Number) })
  })

  test('tells the age of the oldest event without a position, as the metrics do', async () => {
    await sql`insert into event (type, "on") values ('late', now() - interval '1 hour')`.execute(context.db)
    expect((await api.get('/readyz')).json.feed_unsequenced_seconds).toBeGreaterThan(3590)
    expect((await api.get('/metrics')).text).toMatch(/^waypost_feed_unsequenced_seconds 3[56]\d\d/m)
    await sequenceEvents(context.db)
    expect((await api.get('/readyz')).json.feed_unsequenced_seconds).toBe(0)
    expect((await api.get('/metrics')).text).toMatch(/^waypost_feed_unsequenced_seconds 0$/m)
  })

  test('reports an unreachable database', async () => {
    const db = openDatabase({ connectionString: 'postgresql:///waypost?host=/nowhere' })
    const { status, json } = await ask({ ...context, db })

    expect(status).toBe(503)
    expect(json).toEqual({ status: 'unavailable', obstacle: 'database' })
    await db.destroy()
  })

  test('waits for migrations, and notices when they are applied', async () => {
    const owner = new Client({ connectionString: unmigrated.ownerUrl })
    await owner.connect()
    const { rows } = await owner.query(
      'delete from migration where name = (select max(name) from migration) returning *',
    )
    const config = { ...context.config, WAYPOST_DATABASE_URL: unmigrated.appUrl }
    const server = Fastify()
    serveHealth(server, { ...context, config })
    const before = await server.inject('/readyz')
    await owner.query('insert into migration (name, checksum) values ($1, $2)', [rows[0].name, rows[0].checksum])
    await owner.end()
    const after = await server.inject('/readyz')

    expect(before.statusCode).toBe(503)
    expect(before.json()).toEqual({ status: 'unavailable', obstacle: 'migrations' })
    expect(after.statusCode).toBe(200)
  })

  test('fails after a shutdown signal, while health stays ok', async () => {
    const server = Fastify()
    serveHealth(server, context)
    server.life.isEnding = true
    const ready = await server.inject('/readyz')
    const healthy = await server.inject('/healthz')

    expect(ready.statusCode).toBe(503)
    expect(ready.json()).toEqual({ status: 'unavailable', obstacle: 'shutdown' })
    expect(healthy.statusCode).toBe(200)
  })
})

describe('/metrics', () => {
  test('counts requests by route, method and status, under either prefix', async () => {
    await api.get(`/projects/${ORCHARD}`, { as: TOM })
    await api.get(`/api/v1/projects/${ORCHARD}`, { as: TOM })
    await api.get('/projects/abc', { as: TOM })
    await api.get('/nothing/here')
    const { status, headers, text } = await api.get('/metrics')
    const count = (labels: string) =>
      text.split('\n').find((line) => line.includes(`duration_seconds_count{${labels}}`))

    expect(status).toBe(200)
    expect(headers['content-type']).toContain('text/plain')
    expect(count('route="/projects/:id",method="GET",status="200"')).toMatch(/ 2$/)
    expect(count('route="/projects/:id",method="GET",status="400"')).toMatch(/ 1$/)
    expect(count('route="unknown",method="GET",status="404"')).toMatch(/ 1$/)
  })

  test('shows the process, the event loop, the pool, the jobs and the caches', async () => {
    const { text } = await api.get('/metrics')

    expect(text).toMatch(/^process_cpu_seconds_total \d/m)
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
    expect(text).toMatch(/^waypost_database_pool\{pool="interactive",state="idle"\} \d/m)
    expect(text).toMatch(/^waypost_jobs\{state="parked"\} 0$/m)
    for (const name of ['hits_total', 'misses_total', 'bytes'])
      expect(text).toMatch(new RegExp(`^waypost_cache_${name}\\{cache="representations"\\} \\d`, 'm'))
  })

  test('shows the other metrics while the database is unavailable', async () => {
    const db = openDatabase({ connectionString: 'postgresql:///waypost?host=/nowhere' })
    const server = Fastify()
    serveHealth(server, { ...context, db, pools: { ...context.pools, interactive: db } })
    const { statusCode, body } = await server.inject('/metrics')

    expect(statusCode).toBe(200)
    expect(body).toMatch(/^waypost_database_pool\{pool="interactive",state="idle"\} 0$/m)
    expect(body).not.toContain('waypost_jobs{')
    expect(body).not.toMatch(/^waypost_worker/m)
    await db.destroy()
  })

  test('is not found for other networks', async () => {
    const inside = await proxied.get('/metrics', { headers: { 'x-forwarded-for': '10.1.2.3' } })
    const outside = await proxied.get('/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } })

    expect(inside.status).toBe(200)
    expect(outside.status).toBe(404)
    expect(outside.json.error.reason).toBe('route_not_found')
  })
})

describe('networks', () => {
  test('are addresses or ranges of both families', () => {
    const isInside = createNetworkCheck(['10.0.0.0/8', '::1', '2001:db8::/32'])

    for (const address of ['10.255.0.1', '::1', '2001:db8:1::9', '::ffff:10.0.0.1'])
      expect(isInside(address)).toBe(true)
    for (const address of ['11.0.0.1', '::2', '2001:db9::', 'localhost', '']) expect(isInside(address)).toBe(false)
  })

  test.each(['10.0.0.0/33', '10.0.0/8', '::/129', 'localhost', '', '10.0.0.0/8/8', '10.0.0.0/-1', 'fe80::1%eth0'])(
    'are not %j',
    (text) => {
      expect(() => createNetworkCheck([text])).toThrow('neither an address nor a network')
    },
  )
})

async function ask(altered: typeof context) {
  const server = Fastify()
  serveHealth(server, altered)
  const { statusCode: status, body } = await server.inject('/readyz')
  return { status, json: JSON.parse(body) }
}
