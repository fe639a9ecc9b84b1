import { describe, expect, test } from 'vitest'
import { clientNetwork } from '../operation/networks.ts'
import { ApiError } from '../messages/errors.ts'
import { createRateLimits, MAX_CLIENTS_PER_POLICY, type RatePolicy } from './rate-limit.ts'

const POLICY: RatePolicy = { name: 'sample', quota: 3, windowSeconds: 60 }

describe('a rate limit', () => {
  test('L01 refuses beyond the quota, with Retry-After, RateLimit and RateLimit-Policy, and refills with time', () => {
    let time = 0
    const limits = createRateLimits(1, () => time)
    for (let count = 0; count < 3; count++) limits.consume(POLICY, 'network 192.0.2.1')

    expect(refusal(() => limits.consume(POLICY, 'network 192.0.2.1'))).toMatchObject({
      status: 429,
      headers: { 'retry-after': '20', ratelimit: '"sample";r=0;t=20', 'ratelimit-policy': '"sample";q=3;w=60' },
    })
    limits.consume(POLICY, 'network 192.0.2.2')
    limits.consume({ ...POLICY, name: 'other' }, 'network 192.0.2.1')
    time = 20_000
    limits.consume(POLICY, 'network 192.0.2.1')
    expect(refusal(() => limits.consume(POLICY, 'network 192.0.2.1'))).toBeDefined()
  })

  test('L01/debt lets a client owe units that were used already, and refuses until they are paid', () => {
    let time = 0
    const limits = createRateLimits(1, () => time)
    limits.assertAvailable(POLICY, 'account 5')
    limits.charge(POLICY, 'account 5', 4)
    expect(refusal(() => limits.assertAvailable(POLICY, 'account 5'))?.headers['retry-after']).toBe('20')
    time = 20_001
    limits.assertAvailable(POLICY, 'account 5')
  })

  test('L01/memory forgets the clients that were idle for longest, so that addresses cannot fill the memory', () => {
    const limits = createRateLimits(1, () => 0)
    limits.charge(POLICY, 'first', 9)
    for (let count = 1; count < MAX_CLIENTS_PER_POLICY; count++) limits.consume(POLICY, `client ${count}`)
    expect(refusal(() => limits.assertAvailable(POLICY, 'first'))).toBeDefined()
    limits.consume(POLICY, 'one more')
    expect(refusal(() => limits.assertAvailable(POLICY, 'first'))).toBeUndefined()
  })
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::7', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
])('L01/network the address %s is counted as %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})

function refusal(attempt: () => void): ApiError | undefined {
  try {
    attempt()
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
