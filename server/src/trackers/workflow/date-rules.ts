import { dayIn } from '../../platform/wire/dates.ts'
import type { Problem } from '../../platform/words/reasons.ts'
import type { Sight } from '../sight.ts'
import type { Comparator, DateRule, Element, StoredValues, VersionFacts } from '../tracker.ts'
import { named, usedElement } from './list-values.ts'

/** What the dates are that no field stores, and the zone in which the platform's days begin. */
interface Times extends Pick<VersionFacts, 'submitted_on' | 'last_modified_date'> {
  readonly dayZone: string
}

/** Every rule between two dates that does not hold. A rule holds while one of them is empty. */
export function checkDateRules(
  sight: Pick<Sight, 'tracker' | 'mayRead'>,
  merged: StoredValues,
  times: Times,
): Problem[] {
  return sight.tracker.rules.dates.flatMap((rule) => {
    const source = usedElement(sight.tracker, rule.source)
    const target = usedElement(sight.tracker, rule.target)
    if (!source || !target || holds(rule, dateOf(source, merged, times), dateOf(target, merged, times), times))
      return []
    return [problemOf(sight, rule.comparator, source, target)]
  })
}

/** A day, or an instant. */
type Moment = string | Date

function dateOf({ id, type }: Element, values: StoredValues, times: Times): Moment | undefined {
  if (type === 'subon') return times.submitted_on
  if (type === 'lud') return times.last_modified_date
  const stored = values[String(id)]
  if (typeof stored !== 'string') return undefined
  return stored.length === 'YYYY-MM-DD'.length ? stored : new Date(stored)
}

function holds(
  { comparator }: DateRule,
  source: Moment | undefined,
  target: Moment | undefined,
  { dayZone }: Times,
): boolean {
  if (source === undefined || target === undefined) return true
  if (source instanceof Date && target instanceof Date)
    return HOLDS[comparator](orderOf(minutes(source), minutes(target)))
  const day = (moment: Moment) => (moment instanceof Date ? dayIn(dayZone, moment) : moment)
  return HOLDS[comparator](orderOf(day(source), day(target)))
}

function minutes(date: Date): number {
  return Math.floor(date.getTime() / 60_000)
}

/** By how the one stands to the other: -1 before, 0 equal, 1 after. */
const HOLDS: Record<Comparator, (order: number) => boolean> = {
  '<': (order) => order < 0,
  '≤': (order) => order <= 0,
  '=': (order) => order === 0,
  '≥': (order) => order >= 0,
  '>': (order) => order > 0,
  '≠': (order) => order !== 0,
}

function orderOf<T extends string | number>(one: T, other: T): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** What the caller may not read is not named. */
function problemOf(
  { mayRead }: Pick<Sight, 'mayRead'>,
  comparator: Comparator,
  source: Element,
  target: Element,
): Problem {
  const problem = { reason: 'rule_violated', cause: 'date_rule' } as const
  if (!mayRead(source) || !mayRead(target)) return { ...problem, ...(mayRead(source) && named(source)) }
  return { ...problem, ...named(source), params: { source: source.label, comparator, target: target.label } }
}
