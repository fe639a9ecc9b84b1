import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { insertDelivery, insertTestWebhook } from '../../../test/fixtures/insert-webhook.ts'
import { claimRuns, type DeliveryRun } from './claim-deliveries.ts'
import { createDeliveryPool, deliver } from './deliver.ts'

const { context: world } = await startWorld()
const { db, clock } = world

/** A process in which so many deliveries wait for their receivers. */
async function startBusyProcess(waiting: { sound: number; failing: number }) {
  const context = { ...world, deliveryPool: createDeliveryPool() }
  const busy = await insertTestWebhook(db)
  await insertDelivery(db, busy)
  const [run] = await claimRuns(db, { all: 1, failing: 1 }, clock.now())
  const claimed = run?.deliveries[0]
  if (!run || !claimed) throw new Error('There is nothing to claim.')
  const never = new Set<Promise<void>>()
  const add = (inFlight: DeliveryRun) => {
    const waits = new Promise<void>(() => {})
    never.add(waits)
    context.deliveryPool.inFlight.set(waits, inFlight)
  }
  for (let count = 0; count < waiting.sound; count++) add(run)
  for (let count = 0; count < waiting.failing; count++) add({ ...run, deliveries: [{ ...claimed, failures: 5 }] })
  /** Takes one turn, and resolves with the number of deliveries that it has started. */
  const turn = async () => {
    const isBusy = await deliver.turn(context)
    const started = [...context.deliveryPool.inFlight.keys()].filter((each) => !never.has(each))
    await Promise.all(started)
    return { isBusy, started: started.length }
  }
  return turn
}

async function addDueDeliveries(count: number, failures: number): Promise<void> {
  for (let made = 0; made < count; made++) await insertDelivery(db, await insertTestWebhook(db, { failures }))
}

test('a process has 32 deliveries in flight', async () => {
  const turn = await startBusyProcess({ sound: 29, failing: 0 })
  await addDueDeliveries(5, 0)
  expect(await turn()).toEqual({ isBusy: true, started: 3 })
})

test('a process that is full claims nothing', async () => {
  const turn = await startBusyProcess({ sound: 32, failing: 0 })
  await addDueDeliveries(1, 0)
  expect(await turn()).toEqual({ isBusy: true, started: 0 })
})

test('16 of them are for failing hooks, and sound ones do not count', async () => {
  const turn = await startBusyProcess({ sound: 12, failing: 14 })
  await addDueDeliveries(4, 5)
  expect(await turn()).toEqual({ isBusy: true, started: 2 })
})

test('a process without deliveries is idle', async () => {
  const turn = await startBusyProcess({ sound: 0, failing: 0 })
  expect(await turn()).toEqual({ isBusy: false, started: 0 })
})
