import { expect } from 'vitest'

const REMEASURE_ABOVE_MS = 50
const MAX_CPU_MS = 5000

/** CPU milliseconds of this thread; for slow results, the best of three runs. */
export function cpuTimeOf(run: () => unknown): number {
  const first = measure(run)
  return first < REMEASURE_ABOVE_MS ? first : Math.min(first, measure(run), measure(run))
}

/**
 * Asserts linear growth: a hostile text takes about as long whole as in eight parts, where quadratic work would take
 * eight times as long. Both are compared within one run, because absolute limits measure the machine.
 */
export function expectSteadyGrowth(work: (text: string) => unknown, hostile: string): void {
  const shown = hostile.slice(0, 20)
  const whole = cpuTimeOf(() => work(hostile))
  expect(whole, shown).toBeLessThan(MAX_CPU_MS)
  if (whole < REMEASURE_ABOVE_MS) return
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
