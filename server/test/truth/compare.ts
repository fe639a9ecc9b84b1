import type { Field, Value } from './model.ts'
import type { Comparator, Literal } from './query.ts'
import { refuse, type Scope, type Seen, type Test } from './scope.ts'
import { contains, isSameLabel } from './texts.ts'
import { shifted, type Span, spanOf, dayOf, minuteOf } from './zones.ts'

// One comparison of the query language, by what is compared. Each answers for one version of one artifact.

export interface Given {
  readonly comparator: Comparator
  readonly literals: readonly Literal[]
}

const EQUALITY: readonly Comparator[] = ['=', '!=']
const ORDERING: readonly Comparator[] = ['<', '<=', '>', '>=', 'BETWEEN']
const MEMBERSHIP: readonly Comparator[] = ['IN', 'NOT IN']

const never: Test = () => false

export function compareText(scope: Scope, { comparator, literals }: Given, textOf: (seen: Seen) => string): Test {
  if (!EQUALITY.includes(comparator)) return refuse(scope, 'query_operator', 'operator')
  const [literal] = literals
  if (!literal || (literal.kind !== 'string' && literal.kind !== 'number'))
    return refuse(scope, 'query_operator', 'function')
  const { text } = literal
  const holds: Test = (seen) => (text === '' ? textOf(seen) === '' : contains(textOf(seen), text))
  return comparator === '=' ? holds : (seen) => !holds(seen)
}

export function compareNumber(
  scope: Scope,
  { comparator, literals }: Given,
  numberOf: (seen: Seen) => number | undefined,
): Test {
  if (MEMBERSHIP.includes(comparator)) return refuse(scope, 'query_operator', 'operator')
  if (literals.some(({ kind }) => kind !== 'string' && kind !== 'number'))
    return refuse(scope, 'query_operator', 'function')
  const texts = literals.flatMap((literal) => ('text' in literal ? [literal.text] : []))
  if (texts.includes('')) {
    if (!EQUALITY.includes(comparator)) return refuse(scope, 'query_operator', 'empty_string')
    return (seen) => (numberOf(seen) === undefined) === (comparator === '=')
  }
  if (texts.some((text) => !/^[+-]?\d+(\.\d+)?$/.test(text))) return refuse(scope, 'value_invalid', 'number')
  const [first = Number.NaN, second = Number.NaN] = texts.map(Number)
  return (seen) => {
    const number = numberOf(seen)
    if (number === undefined) return comparator === '!='
    return withinSpan(comparator, [number, number], [first, first], [second, second])
  }
}

/** `unit` says how exactly a field is compared: a day field by the day as it is written, an instant by the minute. */
export function compareDate(
  scope: Scope,
  { comparator, literals }: Given,
  unit: 'day' | 'minute',
  dateOf: (seen: Seen) => Value | undefined,
): Test {
  if (MEMBERSHIP.includes(comparator)) return refuse(scope, 'query_operator', 'operator')
  if (literals.some(({ kind }) => kind === 'myself' || kind === 'open'))
    return refuse(scope, 'query_operator', 'function')
  if (literals.some((literal) => literal.kind === 'string' && literal.text === '')) {
    if (!EQUALITY.includes(comparator)) return refuse(scope, 'query_operator', 'empty_string')
    return (seen) => (dateOf(seen) === undefined) === (comparator === '=')
  }
  const spans = literals.map((literal) => literalSpan(scope, literal, unit))
  const [first, second = first] = spans
  if (!first || !second || spans.includes(undefined)) return refuse(scope, 'value_invalid', 'date')
  return (seen) => {
    const at = instantIn(dateOf(seen))
    if (at === undefined) return comparator === '!='
    return withinSpan(comparator, [at, at], lastIncluded(first), lastIncluded(second))
  }
}

const lastIncluded = ([from, before]: Span): Span => [from, before - 1]

/** Days are counted in UTC, whatever zone they are asked in: they are no instants. */
function literalSpan({ viewer: { zone }, now }: Scope, literal: Literal, unit: 'day' | 'minute'): Span | undefined {
  const dayZone = unit === 'day' ? 'UTC' : zone
  if (literal.kind === 'now') {
    const { count = 0, unit: period = 'd' } = literal
    const at = shifted(zone, now, count, period)
    return spanOf(dayZone, unit === 'day' ? dayOf(zone, at) : minuteOf(zone, at))
  }
  if (literal.kind !== 'string' || !isDate(literal.text)) return undefined
  if (unit === 'day' && literal.text.length > 10) return undefined
  return spanOf(dayZone, literal.text)
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d( \d\d:\d\d)?$/.test(text)) return false
  const at = Date.parse(`${text.length === 10 ? `${text}T00:00` : text.replace(' ', 'T')}Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10))
}

export function instantIn(value: Value | undefined): number | undefined {
  if (value?.kind === 'instant') return value.at
  return value?.kind === 'day' ? Date.parse(`${value.day}T00:00:00Z`) : undefined
}

/** How a value stands to a span, both ends of which belong to it. */
function withinSpan(comparator: Comparator, [from, to]: Span, first: Span, second: Span): boolean {
  if (comparator === '=') return from >= first[0] && to <= first[1]
  if (comparator === '!=') return from < first[0] || to > first[1]
  if (comparator === '<') return to < first[0]
  if (comparator === '<=') return to <= first[1]
  if (comparator === '>') return from > first[1]
  if (comparator === '>=') return from >= first[0]
  return from >= first[0] && to <= second[1]
}

/** How what can be chosen is named: options of a list, people, groups. */
export interface Choice {
  /** The label that is meant by what is written; undefined: there is none. */
  find(written: string): string | undefined
  /** Whether nothing at all may be asked for. */
  readonly takesEmpty: boolean
  readonly unknown: { readonly reason: string; readonly cause?: string }
}

export function compareChosen(
  scope: Scope,
  { comparator, literals }: Given,
  choice: Choice,
  chosen: (seen: Seen) => readonly string[],
): Test {
  if (ORDERING.includes(comparator)) return refuse(scope, 'query_operator', 'operator')
  const written: string[] = []
  for (const literal of literals) {
    if (literal.kind === 'now' || literal.kind === 'open') return refuse(scope, 'query_operator', 'function')
    if (literal.kind !== 'myself') written.push(literal.text)
    else if (scope.viewer.login === undefined) return refuse(scope, 'query_operator', 'function')
    else written.push(scope.viewer.login)
  }
  const isNegative = comparator === '!=' || comparator === 'NOT IN'
  if (written.includes('')) {
    if (MEMBERSHIP.includes(comparator) || !choice.takesEmpty) return refuse(scope, 'query_operator', 'empty_string')
    return (seen) => (chosen(seen).length === 0) !== isNegative
  }
  const known = written.flatMap((text) => choice.find(text) ?? [])
  if (known.length === 0) return refuse(scope, choice.unknown.reason, choice.unknown.cause)
  return (seen) => chosen(seen).some((label) => known.includes(label)) !== isNegative
}

export function optionsOf({ world }: Scope, { kind, options }: Field): Choice {
  const labels = options.map(({ label }) => label)
  if (kind === 'users')
    return peopleOf(
      world.people.flatMap(({ login }) => login ?? []),
      true,
    )
  const find = (written: string) => labels.find((label) => isSameLabel(label, written))
  return { find, takesEmpty: true, unknown: { reason: 'reference_unknown', cause: 'list_value' } }
}

export function peopleOf(logins: readonly string[], takesEmpty: boolean): Choice {
  const find = (written: string) => logins.find((login) => isSameLabel(login, written))
  return { find, takesEmpty, unknown: { reason: 'reference_unknown' } }
}

export { never }
