import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Context } from './context.ts'
import type { Worker } from '../jobs/worker.ts'

const PATIENCE = 30_000

/** What a process runs. */
interface Running {
  server: FastifyInstance | undefined
  worker: Worker | undefined
  /** What else answers questions. */
  others?: { close(): Promise<void> } | undefined
}

/**
 * Ends the process on SIGTERM or SIGINT, without cutting anybody off: readiness goes off, no new connection and no new
 * job is taken, what runs is finished, but not for ever. A second signal ends it at once. A fault that nobody caught
 * leaves it in a state that nobody knows: it ends in the same way, and whoever started it starts it again.
 */
export function endOnSignal({ db, log }: Context, { server, worker, others }: Running, patience = PATIENCE): void {
  let isEnding = false
  const end = async (code: number) => {
    isEnding = true
    await Promise.all([
      server && drain(server, patience),
      worker && Promise.race([worker.stop(), pause(patience, undefined, { ref: false })]),
      others && Promise.race([others.close(), pause(patience, undefined, { ref: false })]),
    ])
    await Promise.race([db.destroy(), pause(1000)]) // A connection that a job still holds ends with the process.
    process.exit(code)
  }
  const endInGoodOrder = (code: number) => {
    end(code).catch((error: unknown) => {
      log.error({ err: error }, 'could not end in good order')
      process.exit(1)
    })
  }
  const giveUp = (error: unknown) => {
    if (isEnding) return
    log.fatal({ err: error }, 'the worker has ended') // Whoever started this process starts it again.
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      log.info({ signal }, 'ending')
      endInGoodOrder(0)
    })
  // A rejection that nobody waits for comes here too.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'a fault that nobody caught')
    if (!isEnding) endInGoodOrder(1)
  })
  worker?.ended.then(giveUp, giveUp)
}

/** Finishes what runs; whoever takes longer than `patience` is cut off after all. */
export async function drain(server: FastifyInstance, patience: number): Promise<void> {
  server.life.isEnding = true
  const timer = setTimeout(() => server.server.closeAllConnections(), patience)
  try {
    await server.close()
  } finally {
    clearTimeout(timer)
  }
}
