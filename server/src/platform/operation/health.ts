import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import { serveMetrics } from './metrics.ts'
import { missingMigrations } from '../database/migrate.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set when the process was told to end: whoever distributes requests should send it no more. */
    readonly life: { isEnding: boolean }
  }
}

type Obstacle = 'shutdown' | 'database' | 'migrations'

/** For whoever watches over the process: whether it lives, whether it can serve, how it fares. */
export function serveHealth(server: FastifyInstance, context: Context): void {
  server.decorate('life', { isEnding: false })
  // A connection that is kept for the next request would keep the process from ending.
  server.addHook('onSend', async (_, reply) => {
    if (server.life.isEnding) reply.header('connection', 'close')
  })
  const migrated = createMigrationCheck(context)
  const obstacle = async (): Promise<Obstacle | undefined> => {
    if (server.life.isEnding) return 'shutdown'
    if (!(await isReachable(context))) return 'database'
    return (await migrated()) ? undefined : 'migrations'
  }

  server.get('/healthz', async (_, reply) => reply.headers(FRESH).send('{"status":"ok"}'))
  server.get('/readyz', async (_, reply) => {
    const found = await obstacle()
    return reply
      .headers(FRESH)
      .code(found ? 503 : 200)
      .send(JSON.stringify(found ? { status: 'unavailable', obstacle: found } : { status: 'ok' }))
  })
  serveMetrics(server, context)
}

const FRESH = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

async function isReachable({ db, log }: Context): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch (error) {
    log.warn({ err: error }, 'not ready: the database does not answer')
    return false
  }
}

/** A schema that was complete once stays so: it is looked at until then. */
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
