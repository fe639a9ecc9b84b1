import Fastify, { type FastifyInstance } from 'fastify'
import { SECURITY_HEADERS } from '../http/default-headers.ts'
import { ApiError } from '../messages/errors.ts'
import type { Context } from './context.ts'
import { type RunningWorker, serveHealth } from './health.ts'

/** Probes and metrics of a process without the role `api`. Undefined: it has no port, and works all the same. */
export async function startMonitorServer(
  context: Context,
  worker: RunningWorker | undefined,
): Promise<FastifyInstance | undefined> {
  const { WAYPOST_HOST: host, WAYPOST_WORKER_PORT: port } = context.config
  if (port === 0) return undefined
  const server = Fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  server.addHook('onRequest', async (_, reply) => {
    reply.headers(SECURITY_HEADERS)
  })
  server.setErrorHandler((error, _, reply) => reply.code(error instanceof ApiError ? error.status : 500).send(''))
  server.setNotFoundHandler((_, reply) => reply.code(404).send(''))
  serveHealth(server, context, worker)
  try {
    await server.listen({ host, port })
    return server
  } catch (error) {
    // Another worker of this machine may have the port: jobs matter more than probes.
    context.log.error({ err: error, port }, 'WAYPOST_WORKER_PORT is not free: no probes and metrics of this process')
    return undefined
  }
}
