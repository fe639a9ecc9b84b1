import type { Element } from '../tracker.ts'
import { type Condition, negation } from './condition.ts'
import {
  type SearchContext,
  type Comparison,
  type Criterion,
  type CriterionOperator,
  type FieldSearch,
  type QueryLiteral,
  SearchFault,
} from './field-search.ts'
import { isNegative, isOfEmpty, ORDERED, misplacedFunction } from './literals.ts'
import { type Calendar, dayGiven, type DateSpan, LITERAL_FORM, spanOfNow, spanWritten } from './date-span.ts'

const OPERATORS: readonly CriterionOperator[] = ['contains', '=', '>', '<', 'between']

/** Half-open interval; an absent end is unbounded. */
type Between = Partial<DateSpan>

/** Search for date fields, stored as days or, with time, as instants. */
export function dateSearch(isTimed: (element: Element) => boolean): FieldSearch {
  const calendarOf = (element: Element, { zone }: SearchContext) => ({ isTimed: isTimed(element), zone })
  const unitOf = (element: Element) => (isTimed(element) ? 'second' : 'day')
  return {
    operators: OPERATORS,
    async criterion(given, element, asking) {
      const asked = betweenIn(given, calendarOf(element, asking))
      return asked && between(element, isTimed(element), asked)
    },
    comparisons: ORDERED,
    async compare(comparison, element, asking) {
      const within = (asked: Between) => between(element, isTimed(element), asked)
      if (isOfEmpty(comparison)) return isNegative(comparison) ? within({}) : negation(within({}))
      return compareDate(comparison, calendarOf(element, asking), asking.now, within)
    },
    sort: (element) => ({ kind: 'number', field: element.id, unit: unitOf(element) }),
    group: (element) => ({ kind: 'date', of: { field: element.id, unit: unitOf(element) } }),
  }
}

/** Search for the creation and update times. */
export function instantSearch(fact: 'submitted_on' | 'last_modified_date'): FieldSearch {
  return {
    operators: OPERATORS,
    async criterion(given, _, { zone }) {
      const asked = betweenIn(given, { isTimed: true, zone })
      return asked && instantBetween(fact, asked)
    },
    comparisons: ORDERED,
    async compare(comparison, _, asking) {
      return compareInstant(fact, comparison, asking)
    },
    sort: () => ({ kind: 'fact', fact }),
    group: () => ({ kind: 'date', of: { fact } }),
  }
}

export function compareInstant(
  fact: 'submitted_on' | 'last_modified_date',
  comparison: Comparison,
  { zone, now }: Pick<SearchContext, 'zone' | 'now'>,
): Condition {
  // Metadata dates are never empty.
  if (isOfEmpty(comparison)) throw notADate('')
  return compareDate(comparison, { isTimed: true, zone }, now, (asked) => instantBetween(fact, asked))
}

function compareDate(
  comparison: Comparison,
  calendar: Calendar,
  now: Date,
  within: (asked: Between) => Condition,
): Condition {
  const [first, last = first] = comparison.literals.map((literal) => spanIn(literal, calendar, now))
  const found = within(first && last ? betweenOf(comparison.comparator, first, last) : {})
  return isNegative(comparison) ? negation(found) : found
}

function betweenOf(comparator: Comparison['comparator'], first: DateSpan, last: DateSpan): Between {
  if (comparator === '<') return { end: first.start }
  if (comparator === '<=') return { end: first.end }
  if (comparator === '>') return { start: first.end }
  if (comparator === '>=') return { start: first.start }
  return { start: first.start, end: last.end }
}

function spanIn(literal: QueryLiteral, calendar: Calendar, now: Date): DateSpan {
  if (literal.kind === 'myself' || literal.kind === 'open') throw misplacedFunction(literal)
  if (literal.kind !== 'now') return spanWritten(literal.text, calendar) ?? refuse(literal.text)
  return spanOfNow(now, literal.period, calendar) ?? refuse('NOW()')
}

function refuse(value: string): never {
  throw notADate(value)
}

function notADate(value: string): SearchFault {
  return new SearchFault('value_invalid', { cause: 'date', params: { value, ...LITERAL_FORM } })
}

/** Undefined: dates that the operator needs are missing. */
function betweenIn({ operator, value }: Criterion, calendar: Calendar): Between | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value]
  const [first, last] = given.map((each) => dayGiven(each, calendar))
  if (operator === 'between')
    return first && last && given.length === 2 ? { start: first.start, end: last.end } : undefined
  if (!first || given.length > 1) return undefined
  return operator === '>' || operator === '<' ? betweenOf(operator, first, first) : first
}

function between({ id }: Element, isTimed: boolean, { start, end }: Between): Condition {
  const field = { kind: 'number', field: id } as const
  if (isTimed)
    return {
      ...field,
      unit: 'second',
      ...(start !== undefined && { from: start / 1000 }),
      ...(end !== undefined && { to: end / 1000, isBefore: true }),
    }
  return {
    ...field,
    unit: 'day',
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end - 1 }),
  }
}

function instantBetween(fact: 'submitted_on' | 'last_modified_date', { start, end }: Between): Condition {
  return {
    kind: 'instant',
    fact,
    ...(start !== undefined && { from: new Date(start) }),
    ...(end !== undefined && { before: new Date(end) }),
  }
}
