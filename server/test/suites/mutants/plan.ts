import { bestVerdicts, isDead, type Reach, type Result } from './results.ts'

/** Which faults are tried with each test. */
export type Plan = Record<string, string[]>

/** Shorter tests cost so little that each of them is tried. */
const QUICK_TEST_MS = 50

/**
 * Each open mutant is tried with every quick test that reaches it, and with those others that reach the most of its
 * file, and the fewest others: such a test is about this file. Tests that have been tried with it count, but are not
 * planned again.
 */
export function planTries(
  ids: readonly string[],
  reaches: readonly Reach[],
  results: readonly Result[],
  tries: number,
): Plan {
  const verdicts = bestVerdicts(results)
  const tried = new Set(results.map(({ id, by, version }) => `${id} ${by} ${version}`))
  const latest = new Map(reaches.map((reach) => [reach.by, reach]))
  const narrow = [...latest.values()].toSorted((one, other) => one.reached.length - other.reached.length)
  const orders = new Map<string, Reach[]>()
  const plan: Plan = {}
  for (const id of ids) {
    if (isDead(verdicts.get(id))) continue
    const file = id.slice(0, id.indexOf('#') + 1)
    const order = orders.get(file) ?? sortByReach(narrow, file)
    orders.set(file, order)
    const near = choose(
      order.filter(({ reached }) => reached.includes(id)),
      tries,
    )
    for (const { by, version } of near) if (!tried.has(`${id} ${by} ${version}`)) plan[by] = [...(plan[by] ?? []), id]
  }
  // A fault that has damaged the data of a test would take the test from those behind it.
  const isDamaging = (id: string) => (verdicts.get(id) === 'unclear' ? 1 : 0)
  for (const queue of Object.values(plan)) queue.sort((one, other) => isDamaging(one) - isDamaging(other))
  return plan
}

function sortByReach(reaches: readonly Reach[], file: string): Reach[] {
  const counted = reaches.map((reach) => ({ reach, count: reach.reached.filter((id) => id.startsWith(file)).length }))
  return counted.toSorted((one, other) => other.count - one.count).map(({ reach }) => reach)
}

function choose(order: readonly Reach[], tries: number): Reach[] {
  const isQuick = ({ duration_ms }: Reach) => duration_ms < QUICK_TEST_MS
  return [...order.filter(isQuick), ...order.filter((reach) => !isQuick(reach)).slice(0, tries)]
}
