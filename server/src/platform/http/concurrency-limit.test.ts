import { expect, test } from 'vitest'
import { toId } from '../database/ids.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import type { AccountId } from './viewer.ts'

const TOM = toId<AccountId>(1)
const OLGA = toId<AccountId>(2)

test('each account has its own limit, independent of the others', async () => {
  const inFlight = createConcurrencyLimit(2)
  const { promise, resolve } = Promise.withResolvers<string>()
  const running = [inFlight.run(TOM, () => promise), inFlight.run(TOM, () => promise)]

  await expect(inFlight.run(TOM, async () => 'third')).rejects.toMatchObject({ reason: 'rate_limited' })
  await expect(inFlight.run(OLGA, async () => 'hers')).resolves.toBe('hers')
  await expect(inFlight.run(undefined, async () => 'nobody')).resolves.toBe('nobody')

  resolve('done')
  await Promise.all(running)
  await expect(inFlight.run(TOM, async () => 'again')).resolves.toBe('again')
})

test('L01/concurrent the refusal names the limit of what runs at once', () => {
  const inFlight = createConcurrencyLimit(1)
  inFlight.acquire(TOM)
  expect(() => inFlight.acquire(TOM)).toThrow(
    expect.objectContaining({
      headers: {
        'retry-after': '1',
        ratelimit: '"concurrent";r=0;t=1',
        'ratelimit-policy': '"concurrent";q=1;qu="concurrent-requests"',
      },
    }),
  )
})

test('a request that fails releases its permit', async () => {
  const inFlight = createConcurrencyLimit(1)
  await expect(inFlight.run(TOM, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(inFlight.run(TOM, async () => 'next')).resolves.toBe('next')
})
