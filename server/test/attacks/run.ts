// Every case of the catalogue that has something to attack, by its id: `npm run attacks`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { print } from '../../src/commands/print.ts'
import { readCases } from './catalogue.ts'
import { judge } from './results.ts'

const VITEST = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))

const { values } = parseArgs({
  options: {
    timing: { type: 'boolean', default: false },
    samples: { type: 'string', default: '100000' },
    /** The beginning of ids: `Z`, `Z03`; with --timing also `A15/session`. */
    only: { type: 'string', default: '' },
    /** A server with this fault of its own (`leaked-field`): cases have to fail. */
    plant: { type: 'string' },
  },
})

process.exitCode = values.timing ? await runTiming() : await runCases()

/** The differences in time in full, which take hours. */
async function runTiming(): Promise<number> {
  const { runTimingCases } = await import('./timing.ts')
  return runTimingCases(Number(values.samples), values.only)
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
      WAYPOST_TEST_FULL: '1',
      ...(values.plant !== undefined && { WAYPOST_PLANT: values.plant }),
    }
    const words = [VITEST, 'run', ...files, '-t', titles, ...reporters]
    const vitest = spawn(process.execPath, words, { stdio: 'inherit', env })
    await once(vitest, 'exit')
    const { tried, waiting, broken } = judge(cases, JSON.parse(await readFile(report, 'utf8')))
    print(`\n${tried}\n\nWaiting for something to attack:\n${waiting}\n`)
    print(
      `${cases.length} cases: ${ids.length - broken.length} hold, ${broken.length} broken, ${cases.length - ids.length} wait`,
    )
    return broken.length === 0 && vitest.exitCode === 0 ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
