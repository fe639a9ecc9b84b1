import { FAILPOINTS, type Failpoint, PLANTS, type Plant } from './failpoints.ts'

export const isArmed = true

/** What this process does to itself. */
const DEEDS = new Map([
  ['kill', () => void process.kill(process.pid, 'SIGKILL')],
  ['block', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12_000)],
  ['exhaust', exhaust],
  ['reject', () => void Promise.reject(new Error('Nobody waits for this.'))],
])

// WAYPOST_CRASH=name:n:deed: at the nth pass of that step this process kills itself, or does what else it is told to.
const [crashAt, nth = '1', deed = 'kill'] = (process.env['WAYPOST_CRASH'] ?? '').split(':')
if (crashAt && !FAILPOINTS.some((name) => name === crashAt)) throw new Error(`There is no failpoint ${crashAt}.`)
if (!DEEDS.has(deed)) throw new Error(`There is no deed ${deed}.`)

const passes = new Map<Failpoint, number>()

export function failpoint(name: Failpoint): void {
  const count = (passes.get(name) ?? 0) + 1
  passes.set(name, count)
  if (name === crashAt && count === Number(nth)) DEEDS.get(deed)?.()
}

/** Takes memory until there is none. */
function exhaust(): never {
  for (const taken: number[][] = []; ; ) taken.push(Array.from({ length: 100_000 }, (_, at) => at / 3))
}

// WAYPOST_PLANT=name: this process does wrong at every third pass of that place, so that most of its work looks well.
const plant = process.env['WAYPOST_PLANT']
if (plant && !PLANTS.some((name) => name === plant)) throw new Error(`There is no fault ${plant}.`)

const EVERY = 3
let passesOfPlant = 0

export function isPlanted(name: Plant): boolean {
  return name === plant && ++passesOfPlant % EVERY === 0
}
