import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { readDescription } from './api-description.ts'
import { fuzz, type Fuzzing, WORLD_LENGTH } from './fuzz.ts'
import { type FuzzWorld, startFuzzWorld } from './fuzz-world.ts'
import { growthIn, SHORTEST_JUDGED } from './memory.ts'
import { isPlant, PLANTS } from './plants.ts'
import { createReports, shownRequest } from './report.ts'
import { createTally } from './tally.ts'

// Sends requests that are made from `openapi.json`, right, nearly right and hostile, to a server of its own, and checks
// every answer. `--replay seed:index` repeats the world of one request up to that request, and shows it.

const FIXED_SEED = 20_260_301
/** After so many requests memory is looked at. */
const SAMPLED = 4 * WORLD_LENGTH
/** How often it is told how far it got. */
const MARKS = 100

const { values: given } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    replay: { type: 'string' },
    /** Breaks the server in one way, to see that it is found. */
    plant: { type: 'string', default: '' },
  },
})

const print = (text: string) => process.stdout.write(`${text}\n`)
const description = readDescription()
const tally = createTally(description.operations)
const reports = createReports()
if (given.plant !== '' && !isPlant(given.plant)) throw new Error(`Plants are ${Object.keys(PLANTS).join(', ')}.`)
const held: number[] = []
const world = await startFuzzWorld(isPlant(given.plant) ? given.plant : undefined)
const enough = new AbortController()
// The first ends the run with its table; after the second nothing is left running.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (enough.signal.aborted) void giveUp()
    enough.abort()
  })
try {
  if (given.replay === undefined) await runAll(world)
  else await replay(world, given.replay)
} finally {
  for (const told of await reports.publish(world.log.complaints())) print(told)
  await world.stop()
}

/** What is broken from here on is broken by us. */
async function giveUp(): Promise<never> {
  reports.close()
  await world.stop()
  process.exit(130)
}

async function runAll(fuzzed: FuzzWorld): Promise<void> {
  const fresh = given.seed === undefined ? randomInt(1, 2 ** 31) : Number(given.seed)
  const count = given.smoke ? 2500 : Number(given.count)
  const seeds = given.smoke ? [FIXED_SEED, fresh] : [fresh]
  print(`${count} requests, seed ${seeds.join(' and ')}`)
  const began = Date.now()
  const done = await runSeeds(fuzzed, seeds, count)
  print(`\n${'operation'.padEnd(24)}${'requests'.padStart(8)}${'2xx'.padStart(7)}  statuses\n${tally.table()}`)
  const seconds = Math.round((Date.now() - began) / 1000)
  const usual = fuzzed.log.usual().toFixed(1)
  print(
    `\n${done} requests in ${seconds} s, usually ${usual} ms; ${fuzzed.mails.count()} mails; seed ${seeds.join(' and ')}`,
  )

  for (const line of tally.neglected()) {
    print(`✗ less than 30 % of its answers were a success: ${line}`)
    process.exitCode = 1
  }
  const growth = done < SHORTEST_JUDGED ? undefined : growthIn(held)
  if (growth !== undefined) print(`✗ memory: ${growth}`)
  if (held.length > 0) print(`memory: ${Math.min(...held)} to ${Math.max(...held)} MiB, ${held.at(-1)} MiB at the end`)
  print(`${reports.count} kinds of breaches, ${tally.failures()} answers of 500 and above`)
  if (reports.count > 0 || growth !== undefined) process.exitCode = 1
}

/** Returns how many were sent: too many breaches end the run. */
async function runSeeds(fuzzed: FuzzWorld, seeds: readonly number[], count: number): Promise<number> {
  const each = count / seeds.length
  const step = Math.max(count / MARKS, WORLD_LENGTH)
  let next = step
  let done = 0
  const began = Date.now()
  for (const seed of seeds)
    for (let first = 0; first < each && !reports.isFull() && !enough.signal.aborted; first += WORLD_LENGTH) {
      const end = Math.min(first + WORLD_LENGTH, each)
      await fuzz(fuzzingOf(fuzzed, seed), first, end).catch((error: unknown) => {
        if (fuzzed.hasEnded() === undefined) throw error
      })
      done += end - first
      if (done % SAMPLED === 0 || done === count) held.push(await fuzzed.memory())
      if (done >= next) {
        const speed = (done / (Date.now() - began)) * 1000
        print(`${done} requests, ${speed.toFixed(0)}/s: the server holds ${held.at(-1)} MiB`)
        next += step
      }
      if (fuzzed.hasEnded() !== undefined) return done
    }
  return done
}

function fuzzingOf(fuzzed: FuzzWorld, seed: number): Fuzzing {
  return { world: fuzzed, description, tally, seed, report: (breach) => reports.add(breach) }
}

/** Everything up to this one, because what it asks for depends on what others were told. */
async function replay(fuzzed: FuzzWorld, place: string): Promise<void> {
  const [seed = 0, index = 0] = place.split(':').map(Number)
  const first = Math.floor(index / WORLD_LENGTH) * WORLD_LENGTH
  const watch: Fuzzing['watch'] = (at, planned, answer) => {
    if (at !== index) return
    print(`asked: ${JSON.stringify(shownRequest(planned), null, 2)}`)
    print(`answered: ${answer instanceof Error ? answer.message : JSON.stringify(answer, null, 2)}`)
  }
  await fuzz({ ...fuzzingOf(fuzzed, seed), watch }, first, index + 1)
  if (reports.count > 0) process.exitCode = 1
}
