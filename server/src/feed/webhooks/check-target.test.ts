import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import { checkTarget, parseTarget, resolveHost } from '../../platform/http/ssrf-guard.ts'

const { context } = await startWorld({ seedOnce: true })

describe('a target', () => {
  test.each([
    ['http://hooks.example.org/', true],
    ['http://hooks.example.org:443/', true],
    ['https://hooks.example.org:80/', true],
    ['http://hooks.example.org:81/', false],
    ['https://hooks.example.org:1023/', false],
    ['https://hooks.example.org:1024/', true],
    ['https://hooks.example.org:65535/', true],
    ['https://hooks.example.org:6379/', false],
    ['https://mara@hooks.example.org/', false],
    ['https://:secret@hooks.example.org/', false],
    ['http://./', false],
    ['ws://hooks.example.org/', false],
    ['hooks.example.org', false],
  ])('%s may be a target: %s', (url, isAllowed) => {
    expect(parseTarget(url) !== undefined).toBe(isAllowed)
  })

  test.each([
    { url: 'hooks.example.org', reason: 'parameter_invalid' },
    { url: 'http://', reason: 'parameter_invalid' },
    { url: 'ftp://hooks.example.org/', reason: 'parameter_not_allowed' },
    { url: 'http://10.0.0.1/', reason: 'parameter_not_allowed' },
  ])('$url is refused as $reason', async ({ url, reason }) => {
    expect(await checkTarget(context, url, 'here')).toMatchObject({ reason, details: { path: 'here' } })
  })

  test('is looked up for three seconds, and a name without an answer is as good as an unknown one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const never = new Promise<string[]>(() => {})
    const check = (url: string, addressesOf: () => Promise<string[]>) => checkTarget({ ...context, addressesOf }, url)
    const slow = [check('http://hooks.example.org/', () => never), check('http://printer/', () => never)]
    vi.advanceTimersByTime(3000)
    expect(await Promise.all(slow)).toMatchObject([undefined, { reason: 'parameter_not_allowed' }])
    expect(await check('http://hooks.example.org/', async () => ['93.184.215.14'])).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('that is an address resolves to itself', async () => {
    expect(await resolveHost('127.0.0.1')).toEqual(['127.0.0.1'])
  })
})
