import { describe, expect, test } from 'vitest'
import { TEST_NOW } from '../../../test/harness/start-world.ts'
import { BUGS, HOOK, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { toId } from '../../platform/database/ids.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import type { DeliveryId } from './delivery.ts'
import type { DeliverySuccess } from './record-successes.ts'
import { createSuccessRecorder } from './success-recorder.ts'

const DELIVERY: ClaimedDelivery = {
  id: toId<DeliveryId>(0),
  webhook_id: HOOK.bugs,
  kind: 'planned',
  event: 'artifact.created',
  event_id: 'fade.1',
  xid: '1',
  number: 1,
  object: 'artifacts/1',
  on: TEST_NOW,
  attempts: 1,
  project_id: ORCHARD,
  tracker_id: BUGS,
  events: ['artifact.created'],
  url: 'https://hooks.waypost.example/',
  format: 'json',
  payload: 'event',
  as_user: null,
  owner_id: null,
  failures: 0,
  version: 1,
  secret: Buffer.from('locked'),
  old_secret: null,
  old_secret_until: null,
}
const success = (id: number): DeliverySuccess => ({
  delivery: { ...DELIVERY, id: toId<DeliveryId>(id) },
  request: { headers: {}, body: '{}', people: [] },
  outcome: { status: 200, error: null, duration_ms: 1, headers: {}, body: '', isRefused: false },
})

/** A store that keeps each call waiting until it is told its result. */
function createStore() {
  const calls: { readonly ids: readonly number[]; readonly end: PromiseWithResolvers<number | undefined> }[] = []
  const store = (successes: readonly DeliverySuccess[]) => {
    const end = Promise.withResolvers<number | undefined>()
    calls.push({ ids: successes.map(({ delivery }) => delivery.id), end })
    return end.promise
  }
  const call = async (at: number) => {
    await expect.poll(() => calls.length).toBeGreaterThan(at)
    const found = calls[at]
    if (!found) throw new Error('It was not called.')
    return found
  }
  return { store, call, stored: () => calls.map(({ ids }) => ids) }
}

describe('successes', () => {
  test('that come while others are stored are stored together, and the end waits for them', async () => {
    const { store, call, stored } = createStore()
    const recorder = createSuccessRecorder(1, store)
    await recorder.add(success(1))
    const first = await call(0)
    await recorder.add(success(2))
    await recorder.add(success(3))
    let isFlushed = false
    const flushed = recorder.flush().then(() => (isFlushed = true))
    expect(stored()).toEqual([[1]])
    first.end.resolve(1)
    const second = await call(1)
    expect([stored(), isFlushed]).toEqual([[[1], [2, 3]], false])
    second.end.resolve(1)
    await flushed
    await recorder.add(success(4))
    expect((await call(2)).ids).toEqual([4])
  })

  test('wait from the sixteenth on, so that a killed worker repeats few', async () => {
    const { store, call } = createStore()
    const recorder = createSuccessRecorder(1, store)
    await recorder.add(success(0))
    const first = await call(0)
    for (let id = 1; id < 16; id++) await recorder.add(success(id))
    let isAdded = false
    const added = recorder.add(success(16)).then(() => (isAdded = true))
    first.end.resolve(1)
    const second = await call(1)
    expect([second.ids.length, isAdded]).toEqual([16, false])
    second.end.resolve(1)
    await added
  })

  test('tell the version of the hook when they were stored', async () => {
    const { store, call } = createStore()
    const recorder = createSuccessRecorder(7, store)
    expect(recorder.version).toBe(7)
    await recorder.flush()
    await recorder.add(success(1))
    ;(await call(0)).end.resolve(8)
    await recorder.flush()
    expect(recorder.version).toBe(8)
  })

  test('that cannot be stored fail at the end, and tell no version', async () => {
    const { store, call } = createStore()
    const recorder = createSuccessRecorder(7, store)
    await recorder.add(success(1))
    ;(await call(0)).end.reject(new Error('The database is gone.'))
    await expect(recorder.flush()).rejects.toThrow('The database is gone.')
    expect(recorder.version).toBeUndefined()
    await recorder.add(success(2))
    await expect(recorder.flush()).rejects.toThrow('The database is gone.')
  })
})
