import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { readDescription } from './api-description.ts'
import { fuzz, type Fuzzing, REQUESTS_PER_WORLD } from './fuzz.ts'
import { type FuzzWorld, startFuzzWorld } from './fuzz-world.ts'
import { describeMemoryGrowth, MIN_JUDGED_REQUESTS } from './memory.ts'
import { isPlantedBug, PLANTED_BUGS } from './planted-bugs.ts'
import { createReports, shownRequest } from './report.ts'
import { createTally } from './tally.ts'

// Sends requests generated from `openapi.json` (valid, nearly valid and hostile) to a server of its own, and checks
// every response. `--replay seed:index` repeats the world of one request up to that request, and shows it.

const FIXED_SEED = 20_260_301
/** Interval of memory samples. */
const MEMORY_SAMPLE_INTERVAL_REQUESTS = 4 * REQUESTS_PER_WORLD
/** Number of progress messages. */
const PROGRESS_STEPS = 100

const { values: given } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    /** Servers, each with its own database, which share the requests and use the remaining CPU. */
    worlds: { type: 'string', default: '1' },
    seed: { type: 'string' },
    smoke: { type: 'boolean', default: false },
    replay: { type: 'string' },
    /** Plants a bug in the server, which must be found. */
    plant: { type: 'string', default: '' },
  },
})

/** A world and its results. */
interface Fuzzed {
  readonly world: FuzzWorld
  done: number
  /** Memory samples in MiB. */
  readonly held: number[]
}

const print = (text: string) => process.stdout.write(`${text}\n`)
const description = readDescription()
const tally = createTally(description.operations)
const reports = createReports()
if (given.plant !== '' && !isPlantedBug(given.plant))
  throw new Error(`Plants are ${Object.keys(PLANTED_BUGS).join(', ')}.`)
const worlds: Fuzzed[] = []
const enough = new AbortController()
// The first signal ends the run with its table; the second ends it at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (enough.signal.aborted) void giveUp()
    enough.abort()
  })
try {
  for (let count = given.replay === undefined ? Number(given.worlds) : 1; count > 0; count--)
    worlds.push({ world: await startFuzzWorld(isPlantedBug(given.plant) ? given.plant : undefined), done: 0, held: [] })
  if (given.replay === undefined) await runAll()
  else await replay(given.replay)
} finally {
  for (const line of await reports.publish(worlds.flatMap(({ world }) => world.log.complaints()))) print(line)
  await stopAll()
}

/** Later failures are caused by this shutdown, so they are not reported. */
async function giveUp(): Promise<never> {
  reports.close()
  await stopAll()
  process.exit(130)
}

async function stopAll(): Promise<void> {
  for (const { world } of worlds) await world.stop()
}

async function runAll(): Promise<void> {
  const fresh = given.seed === undefined ? randomInt(1, 2 ** 31) : Number(given.seed)
  const count = given.smoke ? 2500 : Number(given.count)
  const seeds = given.smoke ? [FIXED_SEED, fresh] : [fresh]
  print(`${count} requests, seed ${seeds.join(' and ')}`)
  const began = Date.now()
  await runSeeds(seeds, count)
  print(`\n${'operation'.padEnd(24)}${'requests'.padStart(8)}${'2xx'.padStart(7)}  statuses\n${tally.table()}`)
  const seconds = Math.round((Date.now() - began) / 1000)
  const usual = worlds.map(({ world }) => world.log.usual().toFixed(1)).join(' and ')
  const mails = worlds.reduce((sum, { world }) => sum + world.mails.count(), 0)
  print(
    `\n${doneBy(worlds)} requests in ${seconds} s, usually ${usual} ms; ${mails} mails; seed ${seeds.join(' and ')}`,
  )

  for (const line of tally.neglected()) {
    print(`✗ less than 30 % of its answers were a success: ${line}`)
    process.exitCode = 1
  }
  for (const { done, held } of worlds) {
    const growth = done < MIN_JUDGED_REQUESTS ? undefined : describeMemoryGrowth(held)
    if (growth !== undefined) {
      print(`✗ memory: ${growth}`)
      process.exitCode = 1
    }
    if (held.length > 0)
      print(`memory: ${Math.min(...held)} to ${Math.max(...held)} MiB, ${held.at(-1)} MiB at the end`)
  }
  print(`${reports.count} kinds of breaches, ${tally.failures()} answers of 500 and above`)
  if (reports.count > 0) process.exitCode = 1
}

function doneBy(fuzzed: readonly Fuzzed[]): number {
  return fuzzed.reduce((sum, { done }) => sum + done, 0)
}

/** Each world takes the next batch when it is done with its last. Too many breaches end the run. */
async function runSeeds(seeds: readonly number[], count: number): Promise<void> {
  const batches = requestBatches(seeds, count / seeds.length)
  const step = Math.max(count / PROGRESS_STEPS, REQUESTS_PER_WORLD)
  let next = step
  const began = Date.now()
  const run = async (fuzzed: Fuzzed) => {
    for (const { seed, first, end } of batches) {
      await fuzz(fuzzingOf(fuzzed.world, seed), first, end).catch((error: unknown) => {
        if (fuzzed.world.hasEnded() === undefined) throw error
        enough.abort()
      })
      fuzzed.done += end - first
      const done = doneBy(worlds)
      if (fuzzed.done % MEMORY_SAMPLE_INTERVAL_REQUESTS === 0 || done === count)
        fuzzed.held.push(await fuzzed.world.memory())
      if (done < next) continue
      const speed = (done / (Date.now() - began)) * 1000
      next += step
      const held = await fuzzed.world.memory()
      print(`${done} requests, ${speed.toFixed(0)}/s: a server holds ${held} MiB; ${tally.failures()} of 500 and above`)
    }
  }
  await Promise.all(worlds.map(run))
}

/** Batches of requests that share a world. */
function* requestBatches(seeds: readonly number[], each: number) {
  for (const seed of seeds)
    for (let first = 0; first < each && !reports.isFull() && !enough.signal.aborted; first += REQUESTS_PER_WORLD)
      yield { seed, first, end: Math.min(first + REQUESTS_PER_WORLD, each) }
}

function fuzzingOf(world: FuzzWorld, seed: number): Fuzzing {
  return { world, description, tally, seed, report: (breach) => reports.add(breach) }
}

/** Repeats everything up to this request, because requests depend on earlier responses. */
async function replay(place: string): Promise<void> {
  const [seed = 0, index = 0] = place.split(':').map(Number)
  const first = Math.floor(index / REQUESTS_PER_WORLD) * REQUESTS_PER_WORLD
  const watch: Fuzzing['watch'] = (at, planned, answer) => {
    if (at !== index) return
    print(`asked: ${JSON.stringify(shownRequest(planned), null, 2)}`)
    print(`answered: ${answer instanceof Error ? answer.message : JSON.stringify(answer, null, 2)}`)
  }
  for (const { world } of worlds) await fuzz({ ...fuzzingOf(world, seed), watch }, first, index + 1)
  if (reports.count > 0) process.exitCode = 1
}
