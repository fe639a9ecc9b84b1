import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { closePools } from '../database/pools.ts'
import type { Context } from './context.ts'
import type { Worker } from '../jobs/worker.ts'

const DRAIN_TIMEOUT_MS = 30_000
const MONITOR_DRAIN_TIMEOUT_MS = 500

/** The components of a process. */
interface RunningProcess {
  server: FastifyInstance | undefined
  worker: Worker | undefined
  /** Of a process without `server`. */
  monitor?: FastifyInstance | undefined
  /** Other listeners. */
  others?: { close(): Promise<void> } | undefined
}

/**
 * Ends the process on SIGTERM or SIGINT gracefully: readiness fails, and after `WAYPOST_DRAIN_SECONDS`, in which load
 * balancers notice that, no new connections are accepted. New jobs are refused at once. Running work finishes within a
 * timeout. A second signal ends it at once. An uncaught exception leaves an unknown state: the
 * process ends in the same way, and its supervisor restarts it.
 */
export function shutDownOnSignal(
  { config, pools, log }: Context,
  { server, worker, monitor, others }: RunningProcess,
  drainTimeoutMs = DRAIN_TIMEOUT_MS,
): void {
  let isEnding = false
  const endListeners = async (noticeMs: number) => {
    if (server) {
      server.life.isEnding = true
      await pause(noticeMs)
    }
    await Promise.all([
      server && drain(server, drainTimeoutMs),
      others && Promise.race([others.close(), pause(drainTimeoutMs, undefined, { ref: false })]),
    ])
  }
  const end = async (code: number, noticeMs: number) => {
    isEnding = true
    if (monitor) monitor.life.isEnding = true
    await Promise.all([
      endListeners(noticeMs),
      worker && Promise.race([worker.stop(), pause(drainTimeoutMs, undefined, { ref: false })]),
    ])
    if (monitor) await drain(monitor, MONITOR_DRAIN_TIMEOUT_MS)
    await Promise.race([closePools(pools), pause(1000)]) // A connection that a job still holds ends with the process.
    process.exit(code)
  }
  const shutDownGracefully = (code: number, noticeMs = 0) => {
    end(code, noticeMs).catch((error: unknown) => {
      log.error({ err: error }, 'could not end in good order')
      process.exit(1)
    })
  }
  const giveUp = (error: unknown) => {
    if (isEnding) return
    log.fatal({ err: error }, 'the worker has ended') // The supervisor restarts the process.
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      log.info({ signal }, 'ending')
      shutDownGracefully(0, config.WAYPOST_DRAIN_SECONDS * 1000)
    })
  // Includes unhandled rejections.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    if (!isEnding) shutDownGracefully(1)
  })
  worker?.ended.then(giveUp, giveUp)
}

/** Finishes running requests; those that exceed the timeout are cut off. */
export async function drain(server: FastifyInstance, drainTimeoutMs: number): Promise<void> {
  server.life.isEnding = true
  const timer = setTimeout(() => server.server.closeAllConnections(), drainTimeoutMs)
  try {
    await server.close()
  } finally {
    clearTimeout(timer)
  }
}
