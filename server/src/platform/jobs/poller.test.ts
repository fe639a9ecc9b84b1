import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { type Poller, startPollers } from './poller.ts'

const { context } = await startWorld()

function pumpOf(turns: readonly (boolean | Error)[]): Poller & { turned: number } {
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

test('a poller continues at once while there is more, and then waits', async () => {
  const pump = pumpOf([true, true, true, false])
  const running = startPollers(context, [pump], 60_000)
  await expect.poll(() => pump.turned).toBe(4)
  await pause(50)
  expect(pump.turned).toBe(4)
  await running.stop()
})

test('a poller that fails runs again, and does not block the others', async () => {
  const [broken, other] = [pumpOf([new Error('The pipe burst.')]), pumpOf([])]
  const running = startPollers(context, [broken, other], 10)
  await expect.poll(() => other.turned).toBeGreaterThan(3)
  await expect.poll(() => broken.turned).toBeGreaterThan(1)
  await running.stop()
})

test('stopping waits for the current turn, and no other follows', async () => {
  let turned = 0
  const slow: Poller = {
    name: 'slow',
    async turn() {
      await pause(100)
      turned++
      return true
    },
  }
  const running = startPollers(context, [slow])
  await running.stop()
  expect(turned).toBe(1)
  await pause(150)
  expect(turned).toBe(1)
})
