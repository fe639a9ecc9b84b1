import { once } from 'node:events'
import { createServer } from 'node:http'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createBugWebhooks } from '../../../test/fixtures/bug-webhooks.ts'
import { MARA } from '../../../test/fixtures/people.ts'
import { BUG } from '../../../test/fixtures/seed-ids.ts'
import { drainWorker } from '../../../test/harness/run-jobs.ts'
import { settleFeed } from '../../../test/harness/settle-feed.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { allowLoopback, payloadOf, startReceiver } from '../../../test/peers/webhook-receiver.ts'
import type { Semaphore } from '../../platform/operation/semaphore.ts'
import { createDeliveryPool, deliver } from './deliver.ts'
import { planDeliveries } from './plan-deliveries.ts'

const { api, context: world } = await startWorld()
const receiver = await startReceiver()
beforeEach(() => allowLoopback(api))
const { hook, report, update } = createBugWebhooks(api, receiver)

/** Plans the deliveries of so many new artifacts, and begins to send the first run. */
async function startSending(count: number, deliveryPool = createDeliveryPool()) {
  const ids: number[] = []
  for (let made = 0; made < count; made++) ids.push(await report(`Bug ${made}`))
  await settleFeed(world)
  while (await planDeliveries.turn(world));
  const context = { ...world, deliveryPool }
  await deliver.turn(context)
  return { context, ids, ended: () => Promise.all(context.deliveryPool.inFlight.keys()) }
}

const rows = () =>
  world.db.selectFrom('webhook_delivery').select(['state', 'attempts', 'taken_until']).orderBy('id').execute()
const DELIVERED = { state: 'delivered', attempts: 1, taken_until: null }
const RETURNED = { state: 'waiting', attempts: 0, taken_until: null }

test('a run of an ordered hook is sent in order, and recorded', async () => {
  await hook({ ordered: true })
  const { ids, ended } = await startSending(8)
  await ended()
  await drainWorker(world) // Bodies that have become too old on a busy machine.
  expect((await receiver.received()).map((each) => payloadOf(each).id)).toEqual(ids)
  expect(await rows()).toEqual(ids.map(() => DELIVERED))
})

test('a failure stops the run of an ordered hook, and the rest is returned without an attempt', async () => {
  await hook({ ordered: true, url: receiver.url('/once/503') })
  const { ids, ended } = await startSending(4)
  await ended()
  expect((await receiver.received()).map((each) => payloadOf(each).id)).toEqual(ids.slice(0, 1))
  expect(await rows()).toEqual([{ state: 'retrying', attempts: 1, taken_until: null }, RETURNED, RETURNED, RETURNED])
})

test('a failure is recorded after the successes before it, which would make the hook well again', async () => {
  const answered = Promise.withResolvers<void>()
  const statuses = [503, 200]
  const ownReceiver = createServer((incoming, response) => {
    incoming.resume()
    const status = statuses.pop() ?? 500
    response.writeHead(status).end(() => status === 503 && answered.resolve())
  }).listen(0, '127.0.0.1')
  await once(ownReceiver, 'listening')
  onTestFinished(() => {
    ownReceiver.closeAllConnections()
    ownReceiver.close()
  })
  const address = ownReceiver.address()
  const { id } = await hook({
    ordered: true,
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
  })
  const pool = createDeliveryPool()
  const recorded = Promise.withResolvers<void>()
  let calls = 0
  /** The second use of the database stores the success. A failure that does not wait for it would be stored first. */
  const databaseSemaphore: Semaphore = async (work) => {
    const call = ++calls
    if (call === 2) {
      await answered.promise
      for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate)
      if (calls > 2) await recorded.promise
    }
    const result = await work()
    if (call === 3) recorded.resolve()
    return result
  }
  const { ended } = await startSending(2, { ...pool, databaseSemaphore })
  await ended()
  expect((await rows()).map(({ state }) => state)).toEqual(['delivered', 'retrying'])
  expect((await api.get(`/webhooks/${id}`, { as: MARA })).json).toMatchObject({ state: 'failing', last_status: 503 })
})

test('a process that ends begins no more requests, returns the rest, and sends it when it begins again', async () => {
  await hook({ ordered: true, url: receiver.url('/slow/100') })
  const { context, ids } = await startSending(6)
  await receiver.until(1)
  await deliver.end?.(context)
  const sent = (await receiver.received()).length
  expect(sent).toBeLessThan(ids.length)
  expect(await rows()).toEqual(ids.map((_, at) => (at < sent ? DELIVERED : RETURNED)))
  await drainWorker(context)
  expect(await rows()).toEqual(ids.map(() => DELIVERED))
})

test('a hook that was changed gets the rest of its run as it is now', async () => {
  const { id } = await hook({ ordered: true, url: receiver.url('/slow/100') })
  const { ids, ended } = await startSending(8)
  await receiver.until(1)
  const body = { url: receiver.url('/new') }
  expect((await api.patch(`/webhooks/${id}`, { as: MARA, body })).status).toBe(200)
  await ended()
  await drainWorker(world)
  const received = await receiver.received()
  expect(received.map((each) => payloadOf(each).id)).toEqual(ids)
  expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/slow/100', '/new']))
  expect(await rows()).toEqual(ids.map(() => DELIVERED))
})

test('bodies that are older than a second are not sent, and the next run of a slow receiver is shorter', async () => {
  const { id } = await hook({ ordered: true, url: receiver.url('/slow/400') })
  const { context, ids, ended } = await startSending(8)
  await ended()
  const sent = (await receiver.received()).length
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThanOrEqual(3)
  expect(await rows()).toEqual(ids.map((_, at) => (at < sent ? DELIVERED : RETURNED)))
  expect(context.deliveryPool.runLengths.get(id)).toBe(sent)
})

test('deliveries of one artifact in a run are sent one after the other', async () => {
  await hook({ url: receiver.url('/slow/50') })
  const id = await report()
  for (const value of ['Two', 'Three', 'Four']) await update(id, { values: [{ field_id: BUG.summary, value }] })
  await drainWorker(world)
  const received = (await receiver.received()).map(payloadOf)
  const summaries = received.map(({ current }) =>
    current.values.find(({ field_id }: { field_id: number }) => field_id === BUG.summary),
  )
  expect(summaries.map(({ value }) => value)).toEqual(['It leaks', 'Two', 'Three', 'Four'])
  expect(await receiver.maxConcurrency()).toBe(1)
})
