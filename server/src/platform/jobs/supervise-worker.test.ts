import { expect, test, vi } from 'vitest'
import { superviseWorker } from './supervise-worker.ts'
import type { Worker } from './worker.ts'

/** A worker that ends by `stop` or by a test. */
function mortal() {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  const worker: Worker = {
    ended,
    async stop() {
      resolve()
    },
  }
  return { worker, strike: () => reject(new Error('The database is away.')) }
}
const log = { error: vi.fn<() => void>() }

test('a worker that fails is replaced as soon as one can be started', async () => {
  const [first, second] = [mortal(), mortal()]
  const start = vi
    .fn<() => Promise<Worker>>()
    .mockResolvedValueOnce(first.worker)
    .mockRejectedValueOnce(new Error('Still away.'))
    .mockResolvedValueOnce(second.worker)
  const kept = await superviseWorker(start, log, 1)

  first.strike()

  await expect.poll(() => start.mock.calls.length).toBe(3)
  expect(log.error).toHaveBeenCalledTimes(2)
  await kept.stop()
  await expect(second.worker.ended).resolves.toBeUndefined()
})

test('a failure to start the first worker is reported at once', async () => {
  await expect(superviseWorker(async () => Promise.reject(new Error('Away.')), log, 1)).rejects.toThrow('Away.')
})

test('a worker that is starting during the stop is stopped too', async () => {
  const [first, late] = [mortal(), mortal()]
  const { promise: starting, resolve: begun } = Promise.withResolvers<void>()
  const { promise: go, resolve: arrive } = Promise.withResolvers<void>()
  let starts = 0
  const kept = await superviseWorker(
    async () => {
      if (starts++ === 0) return first.worker
      begun()
      await go
      return late.worker
    },
    log,
    1,
  )
  first.strike()
  await starting
  const stopped = kept.stop()
  arrive()
  await stopped
  await expect(late.worker.ended).resolves.toBeUndefined()
})
