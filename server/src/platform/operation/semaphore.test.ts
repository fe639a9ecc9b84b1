import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSemaphore } from './semaphore.ts'

test('a semaphore runs a limited number of tasks in FIFO order, also after one that failed', async () => {
  const semaphore = createSemaphore(2)
  const done: number[] = []
  let working = 0
  let most = 0
  const all = [1, 2, 3, 4, 5].map((number) =>
    semaphore(async () => {
      working++
      most = Math.max(most, working)
      await pause(5)
      working--
      done.push(number)
      if (number === 2) throw new Error('two')
    }).catch(() => 'failed'),
  )
  expect(await Promise.all(all)).toEqual([undefined, 'failed', undefined, undefined, undefined])
  expect([most, done]).toEqual([2, [1, 2, 3, 4, 5]])
})

test('a full queue refuses further tasks, until one has started', async () => {
  const semaphore = createSemaphore(1, 1)
  const { promise: first, resolve: endFirst } = Promise.withResolvers<void>()
  const running = semaphore(() => first)
  const waiting = semaphore(async () => 'second')
  await expect(semaphore(async () => 'third')).rejects.toMatchObject({ reason: 'unavailable' })
  endFirst()
  await running
  expect([await waiting, await semaphore(async () => 'third')]).toEqual(['second', 'third'])
})
