import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { print, table } from '../server/src/commands/print.ts'
import { PLANTED_FAULTS } from '../server/test/harness/planted-faults/plant.ts'
import { readDuration, shareOut } from './read-duration.ts'
import { type SetupFigures, rowsOf } from './report.ts'
import { runSetup } from './run-setup.ts'
import { SETUPS, type SetupName } from './setup.ts'
import { UPGRADE } from './upgrade.ts'

// README.md describes all options.
const { values: given } = parseArgs({
  options: {
    duration: { type: 'string' },
    setup: { type: 'string', multiple: true },
    seed: { type: 'string' },
    rate: { type: 'string' },
    users: { type: 'string' },
    calm: { type: 'string' },
    plant: { type: 'string' },
    from: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

// Small and deterministic, with minimal pauses.
const SMOKE = {
  rate: '50',
  users: '30',
  calm: '300',
  seed: '1',
  setup: ['standby'],
  only: [
    'servers kill themselves at named steps',
    'kill -9 of the primary, the standby is promoted',
    'rolling restart',
  ],
}

// Deliveries to the single receiver are ordered and awaited at the end: a higher rate would take hours on two cores.
const LARGE = { rate: '20', users: '60', calm: '3000' }
// Upgrades from an older version and rolls back.
const CHANGE = { rate: '50', users: '30', calm: '10000', setup: ['pair'], only: UPGRADE }
const values = { ...(given.smoke ? SMOKE : given.from === undefined ? LARGE : CHANGE), ...given }

const seed = values.seed ?? String(randomInt(1, 2 ** 30))
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const plant = PLANTED_FAULTS.find((name) => name === values.plant)
if (values.plant !== undefined && !plant)
  throw new Error(`There is no fault ${values.plant}: ${PLANTED_FAULTS.join(', ')}.`)
const duration = values.duration ?? (plant ? '60s' : '2h')
const setups = plant ? (['single'] as const) : chosenSetups(values.setup)
const directory = await mkdtemp(join(tmpdir(), 'waypost-faults-'))
await chmod(directory, 0o711)
print(`seed ${seed}, commit ${commit}, ${setups.join(', ')}, ${duration}${plant ? `, planted: ${plant}` : ''}`)

const figures: SetupFigures[] = []
try {
  for (const { setup, duration: part } of shareOut(setups, readDuration(duration))) {
    figures.push(
      await runSetup({
        setup,
        directory,
        duration: part,
        plant,
        seed: `${seed}-${setup}`,
        say: print,
        isSmall: plant !== undefined || values.smoke,
        rate: Number(values.rate),
        users: Number(values.users),
        calm: Number(values.calm),
        only: values.only,
        from: values.from,
      }),
    )
    // Printed at once, in case a later set-up fails.
    if (setups.length > 1) print(table(rowsOf(figures.slice(-1))))
  }
} finally {
  if (!values.keep) await rm(directory, { recursive: true, force: true })
}

print(table(rowsOf(figures)))
if (values.json) print(JSON.stringify(figures, null, 2))
const problems = figures.flatMap((each) => each.problems)
for (const problem of problems.slice(0, 50)) print(`FAULT ${problem}`)
const total = (pick: (each: SetupFigures) => number) => figures.reduce((sum, each) => sum + pick(each), 0)
print(
  `seed ${seed}, commit ${commit}: ${total((each) => each.acknowledged)} acknowledged, ${total((each) => each.lost)} lost, ` +
    `${total((each) => each.doubled)} doubled, ${total((each) => each.half)} half, ${problems.length} faults`,
)
process.exitCode = problems.length === 0 ? 0 : 1

function chosenSetups(names: readonly string[] | undefined): readonly SetupName[] {
  if (!names) return SETUPS
  return names.map((name) => {
    const found = SETUPS.find((each) => each === name)
    if (!found) throw new Error(`There is no set-up ${name}: ${SETUPS.join(', ')}.`)
    return found
  })
}
