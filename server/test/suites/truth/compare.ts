import type { OracleField, OracleValue } from './model.ts'
import type { OracleComparator, OracleLiteral } from './query.ts'
import { refuseQuery, type Scope, type ArtifactSnapshot, type Test } from './scope.ts'
import { containsIgnoringCase, isSameLabel } from './texts.ts'
import { shifted, type ZoneSpan, spanOf, dayOf, minuteOf } from './zones.ts'

// Comparisons of the query language, by type. Each tests one version of one artifact.

export interface ComparisonInput {
  readonly comparator: OracleComparator
  readonly literals: readonly OracleLiteral[]
}

const EQUALITY: readonly OracleComparator[] = ['=', '!=']
const ORDERING: readonly OracleComparator[] = ['<', '<=', '>', '>=', 'BETWEEN']
const MEMBERSHIP: readonly OracleComparator[] = ['IN', 'NOT IN']

const never: Test = () => false

export function testTextComparison(
  scope: Scope,
  { comparator, literals }: ComparisonInput,
  textOf: (seen: ArtifactSnapshot) => string,
): Test {
  if (!EQUALITY.includes(comparator)) return refuseQuery(scope, 'query_operator', 'operator')
  const [literal] = literals
  if (!literal || (literal.kind !== 'string' && literal.kind !== 'number'))
    return refuseQuery(scope, 'query_operator', 'function')
  const { text } = literal
  const holds: Test = (seen) => (text === '' ? textOf(seen) === '' : containsIgnoringCase(textOf(seen), text))
  return comparator === '=' ? holds : (seen) => !holds(seen)
}

export function testNumberComparison(
  scope: Scope,
  { comparator, literals }: ComparisonInput,
  numberOf: (seen: ArtifactSnapshot) => number | undefined,
): Test {
  if (MEMBERSHIP.includes(comparator)) return refuseQuery(scope, 'query_operator', 'operator')
  if (literals.some(({ kind }) => kind !== 'string' && kind !== 'number'))
    return refuseQuery(scope, 'query_operator', 'function')
  const texts = literals.flatMap((literal) => ('text' in literal ? [literal.text] : []))
  if (texts.includes('')) {
    if (!EQUALITY.includes(comparator)) return refuseQuery(scope, 'query_operator', 'empty_string')
    return (seen) => (numberOf(seen) === undefined) === (comparator === '=')
  }
  if (texts.some((text) => !/^[+-]?\d+(\.\d+)?$/.test(text))) return refuseQuery(scope, 'value_invalid', 'number')
  const [first = Number.NaN, second = Number.NaN] = texts.map(Number)
  return (seen) => {
    const number = numberOf(seen)
    if (number === undefined) return comparator === '!='
    return withinSpan(comparator, [number, number], [first, first], [second, second])
  }
}

/** `unit` is the precision of a field: a day field compares days, an instant compares minutes. */
export function testDateComparison(
  scope: Scope,
  { comparator, literals }: ComparisonInput,
  unit: 'day' | 'minute',
  dateOf: (seen: ArtifactSnapshot) => OracleValue | undefined,
): Test {
  if (MEMBERSHIP.includes(comparator)) return refuseQuery(scope, 'query_operator', 'operator')
  if (literals.some(({ kind }) => kind === 'myself' || kind === 'open'))
    return refuseQuery(scope, 'query_operator', 'function')
  if (literals.some((literal) => literal.kind === 'string' && literal.text === '')) {
    if (!EQUALITY.includes(comparator)) return refuseQuery(scope, 'query_operator', 'empty_string')
    return (seen) => (dateOf(seen) === undefined) === (comparator === '=')
  }
  const spans = literals.map((literal) => literalSpan(scope, literal, unit))
  const [first, second = first] = spans
  if (!first || !second || spans.includes(undefined)) return refuseQuery(scope, 'value_invalid', 'date')
  return (seen) => {
    const at = instantIn(dateOf(seen))
    if (at === undefined) return comparator === '!='
    return withinSpan(comparator, [at, at], lastIncluded(first), lastIncluded(second))
  }
}

const lastIncluded = ([from, before]: ZoneSpan): ZoneSpan => [from, before - 1]

/** Days are counted in UTC in every time zone, because they are not instants. */
function literalSpan(
  { viewer: { zone }, now }: Scope,
  literal: OracleLiteral,
  unit: 'day' | 'minute',
): ZoneSpan | undefined {
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

export function instantIn(value: OracleValue | undefined): number | undefined {
  if (value?.kind === 'instant') return value.at
  return value?.kind === 'day' ? Date.parse(`${value.day}T00:00:00Z`) : undefined
}

/** Compares a value with a span, which includes both ends. */
function withinSpan(comparator: OracleComparator, [from, to]: ZoneSpan, first: ZoneSpan, second: ZoneSpan): boolean {
  if (comparator === '=') return from >= first[0] && to <= first[1]
  if (comparator === '!=') return from < first[0] || to > first[1]
  if (comparator === '<') return to < first[0]
  if (comparator === '<=') return to <= first[1]
  if (comparator === '>') return from > first[1]
  if (comparator === '>=') return from >= first[0]
  return from >= first[0] && to <= second[1]
}

/** Names of selectable values: list options, users, groups. */
export interface ChoiceNames {
  /** The label that the written name means; undefined: none. */
  find(written: string): string | undefined
  /** Whether the empty value can be queried. */
  readonly takesEmpty: boolean
  readonly unknown: { readonly reason: string; readonly cause?: string }
}

export function testChoiceComparison(
  scope: Scope,
  { comparator, literals }: ComparisonInput,
  choice: ChoiceNames,
  chosen: (seen: ArtifactSnapshot) => readonly string[],
): Test {
  if (ORDERING.includes(comparator)) return refuseQuery(scope, 'query_operator', 'operator')
  const written: string[] = []
  for (const literal of literals) {
    if (literal.kind === 'now' || literal.kind === 'open') return refuseQuery(scope, 'query_operator', 'function')
    if (literal.kind !== 'myself') written.push(literal.text)
    else if (scope.viewer.login === undefined) return refuseQuery(scope, 'query_operator', 'function')
    else written.push(scope.viewer.login)
  }
  const isNegative = comparator === '!=' || comparator === 'NOT IN'
  if (written.includes('')) {
    if (MEMBERSHIP.includes(comparator) || !choice.takesEmpty)
      return refuseQuery(scope, 'query_operator', 'empty_string')
    return (seen) => (chosen(seen).length === 0) !== isNegative
  }
  const known = written.flatMap((text) => choice.find(text) ?? [])
  if (known.length === 0) return refuseQuery(scope, choice.unknown.reason, choice.unknown.cause)
  return (seen) => chosen(seen).some((label) => known.includes(label)) !== isNegative
}

export function optionNames(scope: Scope, { kind, options }: OracleField): ChoiceNames {
  const labels = options.map(({ label }) => label)
  if (kind === 'users')
    return personNames(
      scope,
      scope.world.people.flatMap(({ login }) => login ?? []),
      true,
    )
  const find = (written: string) => labels.find((label) => isSameLabel(label, written))
  return { find, takesEmpty: true, unknown: { reason: 'reference_unknown', cause: 'list_value' } }
}

/** Anonymous viewers cannot look up users. */
export function personNames({ viewer }: Scope, logins: readonly string[], takesEmpty: boolean): ChoiceNames {
  const known = viewer.login === undefined ? [] : logins
  const find = (written: string) => known.find((login) => isSameLabel(login, written))
  return { find, takesEmpty, unknown: { reason: 'reference_unknown' } }
}

export { never }
