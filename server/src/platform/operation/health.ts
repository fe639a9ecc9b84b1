import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import { serveMetrics } from './metrics.ts'
import { withoutOwner } from '../database/connection-owner.ts'
import { missingMigrations } from '../database/migrate.ts'
import { measureSequencingLag } from '../database/sequence-events.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set on a shutdown signal: load balancers should stop sending requests. */
    readonly life: { isEnding: boolean }
  }
}

type Obstacle = 'shutdown' | 'database' | 'migrations' | 'worker'

/** A worker that is restarted after failures. */
export interface RunningWorker {
  /** False between a failure and the next start. */
  readonly isRunning: boolean
}

/**
 * Liveness, readiness and metrics for monitoring. With `worker`, readiness includes it: for a process that has no other
 * task.
 */
export function serveHealth(server: FastifyInstance, context: Context, worker?: RunningWorker): void {
  server.decorate('life', { isEnding: false })
  // A keep-alive connection would prevent the process from ending.
  server.addHook('onSend', async (_, reply) => {
    if (server.life.isEnding) reply.header('connection', 'close')
  })
  const migrated = createMigrationCheck(context)
  const obstacle = async (): Promise<Obstacle | undefined> => {
    if (server.life.isEnding) return 'shutdown'
    if (!(await isReachable(context))) return 'database'
    if (!(await migrated())) return 'migrations'
    return worker?.isRunning === false ? 'worker' : undefined
  }

  server.get('/healthz', async (_, reply) => reply.headers(HEALTH_HEADERS).send('{"status":"ok"}'))
  server.get('/readyz', async (_, reply) => {
    const found = await obstacle()
    const body = found
      ? { status: 'unavailable', obstacle: found }
      : { status: 'ok', feed_unsequenced_seconds: await readLag(context) }
    return reply
      .headers(HEALTH_HEADERS)
      .code(found ? 503 : 200)
      .send(JSON.stringify(body))
  })
  serveMetrics(server, context)
}

const HEALTH_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

async function isReachable({ db, log }: Context): Promise<boolean> {
  try {
    await withoutOwner(() => sql`select 1`.execute(db))
    return true
  } catch (error) {
    log.warn({ err: error }, 'not ready: the database does not answer')
    return false
  }
}

/** A detail: a feed that is behind does not keep a server from serving. Null: unknown. */
async function readLag({ db, log }: Context): Promise<number | null> {
  try {
    return await withoutOwner(() => measureSequencingLag(db))
  } catch (error) {
    log.warn({ err: error }, 'the lag of the feed cannot be measured')
    return null
  }
}

/** A complete schema stays complete, so it is checked only until then. */
function createMigrationCheck({ config, log }: Context): () => Promise<boolean> {
  let isComplete = false
  return async () => {
    if (isComplete) return true
    try {
      const missing = await missingMigrations(config.WAYPOST_DATABASE_URL)
      isComplete = missing.length === 0
      if (!isComplete) log.warn({ missing }, 'not ready: migrations are missing')
    } catch (error) {
      log.warn({ err: error }, 'not ready: the migrations cannot be compared')
    }
    return isComplete
  }
}
