import { expect, test } from 'vitest'
import { median } from '../../../test/harness/median.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'

const { api } = await startWorld({ environment: { WAYPOST_RATE_LIMIT_FACTOR: '1' } })

test('L10 after twenty refusals in ten seconds an address waits for the next ones; accounts of it do not', async () => {
  const ask = (as?: typeof TOM) => timed(() => api.get('/users/self', as ? { as } : {}))
  const first = await Promise.all(Array.from({ length: 20 }, () => ask()))
  expect(first.map(({ status }) => status)).toEqual(first.map(() => 401))
  expect(median(first.map(({ ms }) => ms))).toBeLessThan(700)
  const later = await Promise.all([ask(), ask()])
  expect(later.map(({ status }) => status)).toEqual([401, 401])
  expect(Math.min(...later.map(({ ms }) => ms))).toBeGreaterThan(600)
  const toms = [await ask(TOM), await ask(TOM), await ask(TOM)]
  expect(toms.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(Math.min(...toms.map(({ ms }) => ms))).toBeLessThan(600)
})

async function timed(send: () => Promise<{ status: number }>): Promise<{ status: number; ms: number }> {
  const began = performance.now()
  const { status } = await send()
  return { status, ms: performance.now() - began }
}
