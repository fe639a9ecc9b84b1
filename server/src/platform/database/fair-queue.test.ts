import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFairQueue, type FairQueue } from './fair-queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const OURS = 'ours'
const create = (max: number) => createFairQueue(max, 2000, () => Date.now())

/** Requests permits, and lists the owners in the order in which they get them. */
function follow(queue: FairQueue) {
  const served: string[] = []
  const leaves: (() => void)[] = []
  const enter = async (owner: string) => {
    try {
      leaves.push(await queue.acquire(owner === OURS ? undefined : owner))
      served.push(owner)
    } catch {
      served.push(`${owner} refused`)
    }
  }
  const ask = (owner: string) => void enter(owner)
  const settle = () => vi.advanceTimersByTimeAsync(0)
  return { served, leaves, ask, settle }
}

test('one client does not get every connection, and only it waits in its queue', async () => {
  const { served, leaves, ask, settle } = follow(create(8))
  for (let turn = 0; turn < 64; turn++) ask('crowd')
  ask('tom')
  ask('mara')
  await settle()
  expect(served).toEqual([...Array.from({ length: 6 }, () => 'crowd'), 'tom', 'mara'])

  ask('olga')
  leaves[0]?.()
  await settle()
  expect(served.at(-1)).toBe('olga')
})

test('heavy clients share the connections that are not reserved for light ones, however many they are', async () => {
  const { served, leaves, ask, settle } = follow(create(8))
  for (let turn = 0; turn < 8; turn++) ask(`heavy ${turn}`)
  await settle()
  await vi.advanceTimersByTimeAsync(1500)
  for (const leave of leaves.splice(0)) leave()
  served.length = 0
  for (let turn = 0; turn < 8; turn++) ask(`heavy ${turn}`)
  ask('tom')
  ask('mara')
  await settle()
  expect(served.slice(0, 6).every((owner) => owner.startsWith('heavy'))).toBe(true)
  expect(served.slice(6)).toEqual(['tom', 'mara'])
})

test('a client that was heavy is light again after a while', async () => {
  const { served, leaves, ask, settle } = follow(create(4))
  for (let turn = 0; turn < 3; turn++) ask('once')
  await settle()
  await vi.advanceTimersByTimeAsync(1500)
  for (const leave of leaves.splice(0)) leave()
  await vi.advanceTimersByTimeAsync(30_000)
  served.length = 0
  for (const owner of ['a', 'a', 'a']) ask(owner)
  await settle()
  await vi.advanceTimersByTimeAsync(1500)
  ask('once')
  await settle()
  expect(served).toEqual(['a', 'a', 'a', 'once'])
})

test('internal work has no limit, and comes first', async () => {
  const { served, leaves, ask, settle } = follow(create(4))
  for (const owner of ['a', 'b', 'c', 'd', 'e']) ask(owner)
  ask(OURS)
  await settle()
  leaves[0]?.()
  await settle()
  expect(served).toEqual(['a', 'b', 'c', 'd', OURS])
})

test('a client that waits too long is refused', async () => {
  const queue = create(1)
  const { served, ask, settle } = follow(queue)
  ask('a')
  ask('b')
  await settle()
  expect(queue.waiting).toBe(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(served).toEqual(['a', 'b refused'])
  expect(queue.waiting).toBe(0)
})
