import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness.ts'
import { type Pump, startPumps } from './pump.ts'

const { context } = await startWorld()

function pumpOf(turns: readonly (boolean | Error)[]): Pump & { turned: number } {
  return {
    name: 'water',
    turned: 0,
    async turn() {
      const outcome = turns[this.turned++] ?? false
      if (outcome instanceof Error) throw outcome
      return outcome
    },
  }
}

test('a pump goes on at once while there is more, and then waits', async () => {
  const pump = pumpOf([true, true, true, false])
  const running = startPumps(context, [pump], 60_000)
  await expect.poll(() => pump.turned).toBe(4)
  await pause(50)
  expect(pump.turned).toBe(4)
  await running.stop()
})

test('one that fails is turned again, and does not hold up the others', async () => {
  const [broken, other] = [pumpOf([new Error('The pipe burst.')]), pumpOf([])]
  const running = startPumps(context, [broken, other], 10)
  await expect.poll(() => other.turned).toBeGreaterThan(3)
  await expect.poll(() => broken.turned, { timeout: 5000 }).toBeGreaterThan(1)
  await running.stop()
})

test('stopping waits for the turn under way, and no other follows', async () => {
  let turned = 0
  const slow: Pump = {
    name: 'slow',
    async turn() {
      await pause(100)
      turned++
      return true
    },
  }
  const running = startPumps(context, [slow])
  await running.stop()
  expect(turned).toBe(1)
  await pause(150)
  expect(turned).toBe(1)
})
