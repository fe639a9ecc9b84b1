import { expect, test } from 'vitest'
import { toId } from '../database/ids.ts'
import { createInFlight } from './in-flight.ts'
import type { AccountId } from './viewer.ts'

const TOM = toId<AccountId>(1)
const OLGA = toId<AccountId>(2)

test('an account has its share and no more, whatever the others do', async () => {
  const inFlight = createInFlight(2)
  const { promise, resolve } = Promise.withResolvers<string>()
  const running = [inFlight.run(TOM, () => promise), inFlight.run(TOM, () => promise)]

  await expect(inFlight.run(TOM, async () => 'third')).rejects.toMatchObject({ reason: 'rate_limited' })
  await expect(inFlight.run(OLGA, async () => 'hers')).resolves.toBe('hers')
  await expect(inFlight.run(undefined, async () => 'nobody')).resolves.toBe('nobody')

  resolve('done')
  await Promise.all(running)
  await expect(inFlight.run(TOM, async () => 'again')).resolves.toBe('again')
})

test('a request that fails gives its place back', async () => {
  const inFlight = createInFlight(1)
  await expect(inFlight.run(TOM, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(inFlight.run(TOM, async () => 'next')).resolves.toBe('next')
})
