import { afterAll, expect, test } from 'vitest'
import { startWorld } from '../../harness/start-world.ts'
import { startWorldReceivers } from './receivers.ts'
import { runWorlds } from './run-worlds.ts'

const peers = await startWorldReceivers()
afterAll(() => peers.close())
const { api, context } = await startWorld({ environment: { WAYPOST_SMTP_URL: peers.smtpUrl } })

test('H09 in random worlds no channel tells a reader what they cannot GET at that moment', async () => {
  const { leaks, found } = await runWorlds({ api, context, peers }, { seed: '1', worlds: 6, worldsPerBatch: 3 })
  expect(leaks).toEqual([])
  expect([...found.keys()].toSorted()).toEqual(['feed', 'live', 'log', 'mail', 'stream', 'webhook'])
}, 300_000)
