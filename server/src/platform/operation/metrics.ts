import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from './context.ts'
import { poolState } from '../database/db.ts'
import { ApiError } from '../words/errors.ts'
import { countJobs } from '../jobs/job-ledger.ts'
import { createNetworkCheck } from './networks.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Figures for Prometheus, told to the addresses of the configuration; for others there is nothing here. */
export function serveMetrics(server: FastifyInstance, context: Context): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  watchRequests(server, registry)
  watchPool(registry, context)
  watchJobs(registry, context)

  const mayRead = createNetworkCheck(context.config.WAYPOST_METRICS_FROM)
  server.get('/metrics', async (request, reply) => {
    if (!mayRead(request.ip)) throw new ApiError('route_not_found')
    reply.header('content-type', registry.contentType).header('cache-control', 'no-store')
    return reply.send(await registry.metrics())
  })
}

function watchRequests(server: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'waypost_http_request_duration_seconds',
    help: 'Requests by route, method and status, and how long they took.',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  server.addHook('onResponse', async (request, { statusCode: status, elapsedTime }) => {
    duration.observe({ route: templateOf(request), method: request.method, status }, elapsedTime / 1000)
  })
}

/** `/projects/:id`, under whichever prefix: a label of which there are few. */
function templateOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.url?.replace(/^\/api(?:\/v1)?(?=\/)/, '') ?? 'unknown'
}

function watchPool(registry: Registry, { db }: Context): void {
  const pool = new Gauge({
    name: 'waypost_database_pool',
    help: 'Connections to the database by state, and requests that wait for one.',
    labelNames: ['state'],
    registers: [],
    collect() {
      for (const [state, count] of Object.entries(poolState(db))) this.set({ state }, count)
    },
  })
  registry.registerMetric(pool)
}

function watchJobs(registry: Registry, { db, log }: Context): void {
  const jobs = new Gauge({
    name: 'waypost_jobs',
    help: 'Jobs by state.',
    labelNames: ['state'],
    registers: [],
    async collect() {
      this.reset()
      try {
        for (const [state, count] of await countJobs(db)) this.set({ state }, count)
      } catch (error) {
        log.warn({ err: error }, 'jobs cannot be counted') // The other figures matter most while the database is away.
      }
    },
  })
  registry.registerMetric(jobs)
}
