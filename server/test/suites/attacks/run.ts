// Every case of the catalogue that has something to attack, by its id: `npm run attacks`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { print } from '../../../src/commands/print.ts'
import { readCases } from './catalogue.ts'
import { evaluateCases } from './results.ts'

const VITEST = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))

const { values } = parseArgs({
  options: {
    timing: { type: 'boolean', default: false },
    /** Ordinary people beside hostile clients, as figures. */
    crowd: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '180' },
    seed: { type: 'string', default: '1' },
    /** Hostile anonymous connections, the addresses that they share, and hostile accounts. */
    hostile: { type: 'string', default: '300' },
    addresses: { type: 'string', default: '100' },
    accounts: { type: 'string', default: '20' },
    /** Milliseconds between an answer and the next connection of the same hostile client. */
    pause: { type: 'string', default: '0' },
    /** With --crowd: the hostile clients connect to a closed port, which shows what their processor time alone costs. */
    floor: { type: 'boolean', default: false },
    samples: { type: 'string', default: '100000' },
    /** The beginning of ids: `Z`, `Z03`; with --timing also `A15/session`; with --crowd a class of hostile clients: `slow`. */
    only: { type: 'string', default: '' },
    /** A server with this fault of its own (`leaked-field`): cases have to fail. */
    plant: { type: 'string' },
  },
})

process.exitCode = values.timing ? await runTiming() : values.crowd ? await runHostileCrowd() : await runCases()

/** The differences in time in full, which take hours. */
async function runTiming(): Promise<number> {
  const { runTimingCases } = await import('./timing.ts')
  return runTimingCases(Number(values.samples), values.only)
}

/** Three minutes of every way in which one client could stop the others, and a quiet minute before. */
async function runHostileCrowd(): Promise<number> {
  const { runCrowd } = await import('./crowd.ts')
  const seconds = Number(values.seconds)
  return runCrowd({
    seconds,
    quietSeconds: Math.min(60, seconds),
    seed: Number(values.seed),
    people: 20,
    hostileConnections: Number(values.hostile),
    hostileAddresses: Number(values.addresses),
    hostileAccounts: Number(values.accounts),
    floodConnections: 72,
    pauseMs: Number(values.pause),
    artifacts: 3000,
    only: values.only,
    floor: values.floor,
  })
}

async function runCases(): Promise<number> {
  const cases = readCases().filter(({ id }) => id.startsWith(values.only))
  const files = [...new Set(cases.flatMap((each) => each.files))]
  const folder = await mkdtemp(join(tmpdir(), 'waypost-attacks-'))
  const report = join(folder, 'report.json')
  const ids = cases.filter((each) => each.files.length > 0).map(({ id }) => id)
  const titles = `(?:^| )(?:${ids.join('|')})(?:/[\\w-]+)? `
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  try {
    const env = {
      ...process.env,
      WAYPOST_TEST_LEVEL: 'full',
      ...(values.plant !== undefined && { WAYPOST_PLANT: values.plant }),
    }
    const words = [VITEST, 'run', ...files, '-t', titles, ...reporters]
    const vitest = spawn(process.execPath, words, { stdio: 'inherit', env })
    await once(vitest, 'exit')
    const { tried, waiting, broken } = evaluateCases(cases, JSON.parse(await readFile(report, 'utf8')))
    print(`\n${tried}\n\nWaiting for something to attack:\n${waiting}\n`)
    print(
      `${cases.length} cases: ${ids.length - broken.length} hold, ${broken.length} broken, ${cases.length - ids.length} wait`,
    )
    return broken.length === 0 && vitest.exitCode === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
