import { table } from '../../../server/src/commands/print.ts'
import { median } from '../../../server/test/harness/median.ts'
import { round as toThreeDigits } from '../../quantiles.ts'
import type { PeerLoadOutcome } from '../load.ts'
import type { PeerOperation } from '../requests.ts'
import { medianInterval } from './median-interval.ts'
import type { Round } from './progress.ts'

const LABELS: Partial<Record<PeerOperation, string>> = {
  get: 'GET, uniform',
  'get-skewed': 'GET, skewed',
  'mixed-skewed': '90 % GET, 10 % PUT, skewed',
  'not-modified-skewed': '304, skewed',
  list: 'list by value, exact size',
  update: 'PUT',
  create: 'POST',
}
/** A change is slower if the whole interval of its ratio is above this. */
const MAX_SLOWDOWN = 1.05

export const COMPARED_OPERATIONS = Object.keys(LABELS)

export function isCompared(operation: PeerOperation): boolean {
  return operation in LABELS
}

/** CPU time per request of server and database, in ms. */
function processorTime({ serverMs, databaseMs }: PeerLoadOutcome): number {
  return (serverMs ?? Number.NaN) + (databaseMs ?? Number.NaN)
}

/** Ratios above 1 mean that the new version is faster; each row is a median over the rounds. */
export function reportRounds(measured: ReadonlyMap<PeerOperation, readonly Round[]>): string {
  const rows = [...measured].map(([operation, rounds]) => {
    const of = (value: (outcome: PeerLoadOutcome) => number | null, side: keyof Round) =>
      toThreeDigits(median(rounds.map((each) => value(each[side]) ?? Number.NaN)))
    const pair = (value: (outcome: PeerLoadOutcome) => number | null) => `${of(value, 'before')} → ${of(value, 'now')}`
    return [
      LABELS[operation] ?? operation,
      ...ratioCells(rounds.map(({ now, before }) => processorTime(before) / processorTime(now))),
      pair(({ serverMs }) => serverMs),
      pair(({ databaseMs }) => databaseMs),
      pair(({ perSecond }) => perSecond),
      ...ratioCells(rounds.map(({ now, before }) => now.perSecond / before.perSecond)),
      pair(({ p95 }) => p95),
    ]
  })
  const header = [
    '',
    'CPU old ÷ new',
    '95 %',
    'server, ms',
    'database, ms',
    'requests/s',
    'new ÷ old',
    '95 %',
    'p95, ms',
  ]
  return table([header, ...rows])
}

function ratioCells(ratios: readonly number[]): [string, string] {
  const [low, high] = medianInterval(ratios)
  return [median(ratios).toFixed(2), `${low.toFixed(2)} to ${high.toFixed(2)}`]
}

/** Operations whose time per request has grown by more than 5 %, with a confidence of 95 %. */
export function findSlower(measured: ReadonlyMap<PeerOperation, readonly Round[]>): string[] {
  return [...measured]
    .filter(([, rounds]) => {
      const [low] = medianInterval(rounds.map(({ now, before }) => before.perSecond / now.perSecond))
      return low > MAX_SLOWDOWN
    })
    .map(([operation]) => LABELS[operation] ?? operation)
}
