import { FAILPOINTS, type Failpoint, PLANTS, type Plant } from './failpoints.ts'

export const isArmed = true

// WAYPOST_CRASH=name:n: this process kills itself at the nth pass of that step.
const [crashAt, nth = '1'] = (process.env['WAYPOST_CRASH'] ?? '').split(':')
if (crashAt && !FAILPOINTS.some((name) => name === crashAt)) throw new Error(`There is no failpoint ${crashAt}.`)

const passes = new Map<Failpoint, number>()

export function failpoint(name: Failpoint): void {
  const count = (passes.get(name) ?? 0) + 1
  passes.set(name, count)
  if (name === crashAt && count === Number(nth)) process.kill(process.pid, 'SIGKILL')
}

// WAYPOST_PLANT=name: this process does wrong at every third pass of that place, so that most of its work looks well.
const plant = process.env['WAYPOST_PLANT']
if (plant && !PLANTS.some((name) => name === plant)) throw new Error(`There is no fault ${plant}.`)

const EVERY = 3
let passesOfPlant = 0

export function isPlanted(name: Plant): boolean {
  return name === plant && ++passesOfPlant % EVERY === 0
}
