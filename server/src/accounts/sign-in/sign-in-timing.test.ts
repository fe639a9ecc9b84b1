import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { median } from '../../../test/harness/median.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { SAME_ORIGIN_HEADERS } from '../../../test/harness/browser-requests.ts'

const { api, context } = await startWorld({ seedOnce: true })

// Timing on a busy machine is noise, so small differences are only printed. A skipped hash still shows: it is half of
// the time.
test.each([
  { path: '/session', samples: 60, bodyOf: (username: string) => ({ username, password: 'wrong' }) },
  { path: '/password_resets', samples: 200, bodyOf: (login: string) => ({ login }) },
])('A15/timing $path takes as long for people who do not exist', async ({ path, samples, bodyOf }) => {
  const times: Record<'mara' | 'unknown', number[]> = { mara: [], unknown: [] }
  for (let count = -5; count < samples; count++)
    for (const name of ['mara', 'unknown'] as const) {
      const begun = performance.now()
      await api.post(path, { headers: SAME_ORIGIN_HEADERS, body: bodyOf(name) })
      if (count >= 0) times[name].push(performance.now() - begun)
      if (count % 5 === 0) await sql`delete from sign_in_failure`.execute(context.db)
    }

  process.stdout.write(`${path}: t = ${welch(times.mara, times.unknown).toFixed(2)} (${samples} samples a side)\n`)
  const ratio = median(times.mara) / median(times.unknown)
  expect(ratio).toBeGreaterThan(1 / 3)
  expect(ratio).toBeLessThan(3)
})

function welch(one: readonly number[], other: readonly number[]): number {
  const noise = variance(one) / one.length + variance(other) / other.length
  return (mean(one) - mean(other)) / Math.sqrt(noise)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function variance(values: readonly number[]): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}
