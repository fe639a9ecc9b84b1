import { expect } from 'vitest'

const WORTH_ANOTHER_LOOK = 50
const AT_MOST = 1000

/** Milliseconds of this thread's own work, whatever else the machine does; of what seems slow, the best of three runs. */
export function cpuTimeOf(run: () => unknown): number {
  const first = measure(run)
  return first < WORTH_ANOTHER_LOOK ? first : Math.min(first, measure(run), measure(run))
}

/**
 * That the work for a hostile text grows with its length and no faster: as one it takes as long as in eight parts, where
 * squares would make it eight times as long; between the two is room for what else a machine does. Compared within one
 * run, because a limit in milliseconds measures the machine.
 */
export function expectSteadyGrowth(work: (text: string) => unknown, hostile: string): void {
  const shown = hostile.slice(0, 20)
  const whole = cpuTimeOf(() => work(hostile))
  expect(whole, shown).toBeLessThan(AT_MOST)
  if (whole < WORTH_ANOTHER_LOOK) return
  const part = hostile.slice(0, hostile.length / 8)
  const inParts = cpuTimeOf(() => Array.from({ length: 8 }, () => work(part)))
  expect(whole / inParts, shown).toBeLessThan(4)
}

function measure(run: () => unknown): number {
  const start = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}
