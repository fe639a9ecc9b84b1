import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type ComparedVersions, Progress, type Round } from './progress.ts'

const COMPARISON: ComparedVersions = { now: 'b', before: 'a', size: 10_000, seconds: 1, viewers: 200, settings: [] }
const OUTCOME = {
  perSecond: 100,
  p50: 1,
  p95: 2,
  server: 0.5,
  database: 0.5,
  generator: 0.1,
  serverMs: 5,
  databaseMs: 5,
  warmUpSeconds: 1,
  isStable: true,
}
const ROUND: Round = { now: OUTCOME, before: { ...OUTCOME, perSecond: 50 } }

async function someFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waypost-progress-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'rounds.json')
}

test('finished rounds are continued by the next run', async () => {
  const file = await someFile()
  const first = await Progress.open(file, COMPARISON)
  expect(first.rounds('get')).toEqual([])
  await first.add('get', ROUND)
  await first.add('get', ROUND)
  expect((await Progress.open(file, COMPARISON)).rounds('get')).toEqual([ROUND, ROUND])
})

test('rounds of other versions, sizes or settings are not', async () => {
  const file = await someFile()
  await (await Progress.open(file, COMPARISON)).add('get', ROUND)
  for (const other of [{ now: 'c' }, { size: 20_000 }, { seconds: 2 }, { settings: ['WAYPOST_A=1'] }])
    expect((await Progress.open(file, { ...COMPARISON, ...other })).rounds('get')).toEqual([])
})
