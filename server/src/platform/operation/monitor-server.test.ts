import { readFile } from 'node:fs/promises'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'
import { startServerProcess } from '../../../test/harness/server-process.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { serveHealth } from './health.ts'
import { startMonitorServer } from './monitor-server.ts'

const { api, context } = await startWorld()
const environment = { WAYPOST_DATABASE_URL: context.config.WAYPOST_DATABASE_URL, WAYPOST_ROLES: 'worker' }

test('a process that is only a worker serves probes and metrics on a port of its own', async () => {
  const port = String(await freePort())
  expect((await api.get('/metrics')).text).toMatch(/^waypost_worker_heartbeat_age_seconds \+Inf$/m)
  const worker = await startServerProcess({ ...environment, WAYPOST_PORT: port, WAYPOST_WORKER_PORT: port })
  expect((await worker.api.get('/healthz')).json).toEqual({ status: 'ok' })
  expect((await worker.api.get('/readyz')).json.status).toBe('ok')
  for (const { text } of [await worker.api.get('/metrics'), await api.get('/metrics')]) {
    expect(text).toMatch(/^waypost_workers 1$/m)
    expect(text).toMatch(/^waypost_worker_heartbeat_age_seconds \d/m)
  }
  expect((await fetch(`${worker.api.origin}/api/projects`)).status).toBe(404)

  expect(await worker.stop()).toBe(0)
  expect((await api.get('/metrics')).text).toMatch(/^waypost_workers 0$/m)
})

test('metrics of a worker are for the configured networks only', async () => {
  const config = { ...context.config, WAYPOST_WORKER_PORT: await freePort(), WAYPOST_METRICS_FROM: ['10.0.0.0/8'] }
  const server = await startMonitorServer({ ...context, config }, { isRunning: true })
  expect((await server?.inject('/metrics'))?.statusCode).toBe(404)
  expect((await server?.inject('/healthz'))?.statusCode).toBe(200)
  await server?.close()
})

test('a process whose worker has failed is not ready', async () => {
  const server = Fastify()
  const worker = { isRunning: false }
  serveHealth(server, context, worker)
  expect((await server.inject('/readyz')).json()).toEqual({ status: 'unavailable', obstacle: 'worker' })
  worker.isRunning = true
  expect((await server.inject('/readyz')).statusCode).toBe(200)
})

test('the rules of deploy/observe name metrics that a server has', async () => {
  const rules = await readFile('deploy/observe/alerts.yml', 'utf8')
  const names = [...rules.matchAll(/\bwaypost_\w+/g)].map(([name]) => name)
  const { text } = await api.get('/metrics')
  expect(names).toContain('waypost_worker_heartbeat_age_seconds')
  expect(names.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([])
})
