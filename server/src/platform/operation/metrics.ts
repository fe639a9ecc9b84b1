import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from './context.ts'
import { poolState } from '../database/db.ts'
import { ApiError } from '../messages/errors.ts'
import { measureSequencingLag } from '../database/sequence-events.ts'
import { measureWorkerPresence, type WorkerPresence } from '../jobs/heartbeat.ts'
import { countJobs } from '../jobs/job-ledger.ts'
import { createNetworkCheck } from './networks.ts'

declare module './context.ts' {
  interface Context {
    /** The caches that `/metrics` reports, by name. */
    readonly measuredCaches: Readonly<Record<string, MeasuredCache>>
  }
}

export interface MeasuredCache {
  readonly state: () => CacheState
}

export interface CacheState {
  /** Since the start of the process. */
  readonly hits: number
  readonly misses: number
  /** The present size. */
  readonly bytes: number
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Prometheus metrics for the configured networks; other clients get 404. */
export function serveMetrics(server: FastifyInstance, context: Context): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  watchRequests(server, registry)
  watchPools(registry, context)
  watchJobs(registry, context)
  watchFeed(registry, context)
  watchWorkers(registry, context)
  watchCaches(registry, context)
  if (context.rightsCheck.isOn) watchRights(registry, context)

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
    duration.observe({ route: routeTemplate(request), method: request.method, status }, elapsedTime / 1000)
  })
}

/** `/projects/:id` without prefix: a label of low cardinality. */
function routeTemplate({ routeOptions }: FastifyRequest): string {
  return routeOptions.url?.replace(/^\/api(?:\/v1)?(?=\/)/, '') ?? 'unknown'
}

function watchPools(registry: Registry, { pools }: Context): void {
  const gauge = new Gauge({
    name: 'waypost_database_pool',
    help: 'Connections to the database by pool and state, and what waits for one.',
    labelNames: ['pool', 'state'],
    registers: [],
    collect() {
      for (const [pool, db] of Object.entries(pools))
        for (const [state, count] of Object.entries(poolState(db))) this.set({ pool, state }, count)
    },
  })
  registry.registerMetric(gauge)
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
        log.warn({ err: error }, 'jobs cannot be counted') // The other metrics matter most while the database is unavailable.
      }
    },
  })
  registry.registerMetric(jobs)
}

function watchFeed(registry: Registry, { db, log }: Context): void {
  const lag = new Gauge({
    name: 'waypost_feed_unsequenced_seconds',
    help: 'Age of the oldest committed event that has no position in the feed.',
    registers: [],
    async collect() {
      try {
        this.set(await measureSequencingLag(db))
      } catch (error) {
        log.warn({ err: error }, 'the lag of the feed cannot be measured')
      }
    },
  })
  registry.registerMetric(lag)
}

function watchWorkers(registry: Registry, { db, log }: Context): void {
  const measure = (name: string, help: string, value: (presence: WorkerPresence) => number) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          try {
            this.set(value(await measureWorkerPresence(db)))
          } catch (error) {
            this.remove() // Zero would mean a heartbeat at this moment.
            log.warn({ err: error }, 'workers cannot be counted')
          }
        },
      }),
    )
  measure('waypost_workers', 'Workers of the installation that were seen in the last minute.', ({ workers }) => workers)
  measure(
    'waypost_worker_heartbeat_age_seconds',
    'Time since the last sign of life of a worker; infinite: there is none.',
    ({ age_s }) => age_s ?? Number.POSITIVE_INFINITY,
  )
}

function watchCaches(registry: Registry, { measuredCaches }: Context): void {
  const measure = (metric: typeof Counter | typeof Gauge, name: string, help: string, member: keyof CacheState) =>
    registry.registerMetric(
      new metric({
        name,
        help,
        labelNames: ['cache'],
        registers: [],
        collect() {
          this.reset()
          for (const [cache, { state }] of Object.entries(measuredCaches)) this.inc({ cache }, state()[member])
        },
      }),
    )
  measure(Counter, 'waypost_cache_hits_total', 'Lookups that were answered from a cache.', 'hits')
  measure(Counter, 'waypost_cache_misses_total', 'Lookups that were not.', 'misses')
  measure(Gauge, 'waypost_cache_bytes', 'Memory that the entries of a cache take.', 'bytes')
}

/** Shown only while `WAYPOST_CHECK_RIGHTS` is on. */
function watchRights(registry: Registry, { rightsCheck }: Context): void {
  const checks = new Counter({
    name: 'waypost_rights_checks_total',
    help: 'Reads whose rights in memory were compared with the database, by result.',
    labelNames: ['result'],
    registers: [],
    collect() {
      this.reset()
      this.inc({ result: 'equal' }, rightsCheck.compared - rightsCheck.differences)
      this.inc({ result: 'different' }, rightsCheck.differences)
    },
  })
  registry.registerMetric(checks)
}
