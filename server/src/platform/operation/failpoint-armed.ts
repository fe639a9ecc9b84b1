import { FAILPOINTS, type Failpoint } from './failpoints.ts'

export const isArmed = true

/** Actions by name. */
const CRASH_ACTIONS = new Map([
  ['kill', () => void process.kill(process.pid, 'SIGKILL')],
  ['block', () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12_000)],
  ['exhaust', exhaust],
  ['reject', () => void Promise.reject(new Error('A rejection without a handler.'))],
])

// WAYPOST_CRASH=name:n:action: at the nth pass of that failpoint, the process kills itself or runs the action.
const [crashAt, nth = '1', action = 'kill'] = (process.env['WAYPOST_CRASH'] ?? '').split(':')
if (crashAt && !FAILPOINTS.some((name) => name === crashAt)) throw new Error(`There is no failpoint ${crashAt}.`)
if (!CRASH_ACTIONS.has(action)) throw new Error(`There is no action ${action}.`)

/** Per process, because a failpoint ends the process. */
const passes = new Map<Failpoint, number>()

export function failpoint(name: Failpoint): void {
  const count = (passes.get(name) ?? 0) + 1
  passes.set(name, count)
  if (name === crashAt && count === Number(nth)) CRASH_ACTIONS.get(action)?.()
}

/** Allocates until memory is exhausted. */
function exhaust(): never {
  for (const taken: number[][] = []; ; ) taken.push(Array.from({ length: 100_000 }, (_, at) => at / 3))
}
