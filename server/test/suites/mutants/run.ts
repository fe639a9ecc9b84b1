// Mutation testing: `npm run mutants -- --area visibility --sample 300 --seed 1`. See docs/mutation.md.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { AREAS, listFiles } from './areas.ts'
import { mutate } from './mutate.ts'
import { planTries } from './plan.ts'
import { bestVerdicts, isDead, type Reach, readLines, type Result, type Verdict } from './results.ts'

const { values } = parseArgs({
  options: {
    area: { type: 'string', default: 'visibility' },
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string' },
    tries: { type: 'string', default: '40' },
    'one-pass': { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  },
})
const area = AREAS[values.area]
if (!area) throw new Error(`--area is one of ${Object.keys(AREAS).join(', ')}.`)

/** Most faults fall to the first tests; the others meet more of them in later rounds. */
const ROUNDS = [4, 12]

const say = (line: string) => process.stdout.write(`${line}\n`)
const sources = listFiles(area.sources).filter((file) => !file.endsWith('.test.ts'))
const all = sources.flatMap((file) => mutate(readFileSync(file, 'utf8'), file).mutants)
const chosen = shuffle(all, Number(values.seed)).slice(0, Number(values.sample))
const tests = listFiles(values.tests?.split(',') ?? area.tests)

mkdirSync('.mutants', { recursive: true })
const results = `.mutants/${values.area.replaceAll('/', '-')}.jsonl`
if (values.fresh) rmSync(results, { force: true })
say(`${chosen.length} of ${all.length} mutants of ${sources.length} files, ${tests.length} files of tests; ${results}`)

const began = Date.now()
const ids = chosen.map(({ id }) => id)
const folder = `.mutants/${values.area.replaceAll('/', '-')}`
// The reach of a test is known for these faults only.
const reaches = `${folder}.${digest(ids.join()).slice(0, 8)}.reaches.jsonl`
if (isOpen()) await runTests(tests, values['one-pass'] ? { MUTANTS_ONE_PASS: values.tries } : {})
for (const tries of values['one-pass']
  ? []
  : ROUNDS.filter((each) => each < Number(values.tries)).concat(Number(values.tries))) {
  const known = readLines<Reach>(reaches).filter(({ by }) => tests.includes(fileOf(by)))
  const plan = planTries(ids, known, readLines<Result>(results), tries)
  const planned = [...new Set(Object.keys(plan).map(fileOf))]
  if (planned.length === 0) continue
  writeFileSync(`${folder}.plan.json`, JSON.stringify(plan))
  await runTests(planned, { MUTANTS_PLAN: `${folder}.plan.json` })
}
report()

function fileOf(test: string): string {
  return test.slice(0, test.indexOf(' > '))
}

function isOpen(): boolean {
  const verdicts = bestVerdicts(readLines<Result>(results))
  return ids.some((id) => !isDead(verdicts.get(id)))
}

async function runTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.mutants.config.ts', ...files]
  const vitest = spawn(process.execPath, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      ...env,
      MUTANTS_RESULTS: results,
      MUTANTS_REACHES: reaches,
      MUTANTS_SELECTED: JSON.stringify(ids),
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(vitest.kill(signal) ? 1 : 2))
  await once(vitest, 'exit')
}

function report(): void {
  const found = bestVerdicts(readLines<Result>(results))
  const groups = Map.groupBy(chosen, ({ id }) => found.get(id) ?? 'unreached')
  const count = (name: Verdict | 'unreached') => groups.get(name)?.length ?? 0
  for (const name of ['survived', 'unclear', 'unreached'] as const)
    for (const { file, line, kind, before, after } of groups.get(name) ?? [])
      say(`${name.padEnd(9)} ${file}:${line}  ${kind}\n    - ${before}\n    + ${after}`)
  const caught = count('killed') + count('timeout')
  say(
    `killed ${count('killed')}, timeout ${count('timeout')}, survived ${count('survived')}, unclear ${count('unclear')}, unreached ${count('unreached')}`,
  )
  say(`score ${((100 * caught) / chosen.length).toFixed(1)} % in ${Math.round((Date.now() - began) / 1000)} s`)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Fisher-Yates with a small generator (mulberry32), so that a seed names a sample. */
function shuffle<T>(items: readonly T[], seed: number): T[] {
  let state = seed
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const shuffled = [...items]
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const [one, two] = [shuffled[at], shuffled[other]]
    if (one === undefined || two === undefined) continue
    shuffled[at] = two
    shuffled[other] = one
  }
  return shuffled
}
