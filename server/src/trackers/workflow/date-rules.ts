import { toLocalDay } from '../../platform/wire/dates.ts'
import type { ErrorProblem } from '../../platform/messages/reasons.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import type { DateComparator, DateRule, Element, StoredValues, VersionFacts } from '../tracker.ts'
import { HIDDEN_RULE } from './hidden-rules.ts'
import { toFieldReference, usedElement } from './list-values.ts'

/** Dates that are not stored in fields, and the time zone in which the platform's days start. */
interface Times extends Pick<VersionFacts, 'submitted_on' | 'last_modified_date'> {
  readonly dayZone: string
}

/** All violated date rules. A rule holds while one of its dates is empty. */
export function checkDateRules(
  access: Pick<TrackerAccess, 'tracker' | 'mayRead'>,
  merged: StoredValues,
  times: Times,
): ErrorProblem[] {
  return access.tracker.rules.dates.flatMap((rule) => {
    const source = usedElement(access.tracker, rule.source)
    const target = usedElement(access.tracker, rule.target)
    if (!source || !target || holds(rule, dateOf(source, merged, times), dateOf(target, merged, times), times))
      return []
    return [problemOf(access, rule.comparator, source, target)]
  })
}

/** A day or an instant. */
type Moment = string | Date

function dateOf(element: Element, values: StoredValues, times: Times): Moment | undefined {
  return fieldTypeOf(element).dateOf?.(values[String(element.id)], times)
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
  const day = (moment: Moment) => (moment instanceof Date ? toLocalDay(dayZone, moment) : moment)
  return HOLDS[comparator](orderOf(day(source), day(target)))
}

function minutes(date: Date): number {
  return Math.floor(date.getTime() / 60_000)
}

/** `order` compares source and target: -1 before, 0 equal, 1 after. */
const HOLDS: Record<DateComparator, (order: number) => boolean> = {
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

function problemOf(
  { mayRead }: Pick<TrackerAccess, 'mayRead'>,
  comparator: DateComparator,
  source: Element,
  target: Element,
): ErrorProblem {
  if (!mayRead(source) || !mayRead(target)) return HIDDEN_RULE
  return {
    reason: 'rule_violated',
    cause: 'date_rule',
    ...toFieldReference(source),
    params: { source: source.label, comparator, target: target.label },
  }
}
