import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createDesk } from './desk.ts'

test('at a desk some work at a time, in the order in which they came, also after one that failed', async () => {
  const desk = createDesk(2)
  const done: number[] = []
  let working = 0
  let most = 0
  const all = [1, 2, 3, 4, 5].map((number) =>
    desk(async () => {
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
