import { DECIMAL } from '../field-types/decimal.ts'
import type { Element } from '../tracker.ts'
import { type Condition, negation, type NumberFact, type Pattern, type NumberRange } from './condition.ts'
import { type Comparison, type FieldSearch, type QueryLiteral, SearchFault } from './field-search.ts'
import { isNegative, isOfEmpty, ORDERED, literalText } from './literals.ts'
import { patternIn } from './pattern-search.ts'

/** Builds conditions on numbers, by where they are stored. */
export interface Numbers {
  readonly within: (range: NumberRange, element: Element) => Condition
  readonly matching: (pattern: Pattern, element: Element) => Condition
}

/** Numbers in the field index. */
export const INDEXED: Numbers = {
  within: (range, { id }) => ({ kind: 'number', field: id, unit: 'number', ...range }),
  matching: (pattern, { id }) => ({ kind: 'number_pattern', field: id, pattern }),
}

/** How numbers are written in queries. */
export interface Notation {
  /** Undefined: the text is no number. */
  readonly read: (text: string) => number | undefined
  /** The two ends of a range, such as `1-5`. */
  readonly fromTo: RegExp
  /** Of a literal that is no number. */
  readonly cause: 'number' | 'duration'
}

/** Numeric metadata of an artifact. */
export function factNumbers(fact: NumberFact) {
  return {
    within: (range: NumberRange): Condition => ({ kind: 'fact', fact, ...wholeRange(range) }),
    matching: (pattern: Pattern): Condition => ({ kind: 'fact_pattern', fact, pattern }),
  }
}

export function numberCriteria(numbers: Numbers): Pick<FieldSearch, 'operators' | 'criterion'> {
  return {
    operators: ['contains'],
    async criterion({ value }, element) {
      const range = rangeIn(value)
      if (range) return numbers.within(range, element)
      const asked = typeof value === 'string' ? patternIn(value) : undefined
      return asked && !asked.isNegated ? numbers.matching(asked.pattern, element) : undefined
    },
  }
}

export function numberComparisons(
  { within }: Numbers,
  notation = DECIMAL_NOTATION,
): Pick<FieldSearch, 'comparisons' | 'compare'> {
  return {
    comparisons: ORDERED,
    async compare(comparison, element) {
      return compareNumber(comparison, (range) => within(range, element), notation)
    },
  }
}

/** Search for amounts that the index holds as numbers and people write otherwise. Unlike numbers, they have no pattern. */
export function amountSearch(notation: Notation): FieldSearch {
  return {
    operators: ['contains'],
    async criterion({ value }, element) {
      const range = rangeIn(value, notation)
      return range && INDEXED.within(range, element)
    },
    ...numberComparisons(INDEXED, notation),
    sort: ({ id }) => ({ kind: 'number', field: id, unit: 'number' }),
    isSummable: true,
  }
}

/** `within` builds the condition for a range. */
export function compareNumber(
  comparison: Comparison,
  within: (range: NumberRange) => Condition,
  notation = DECIMAL_NOTATION,
): Condition {
  if (isOfEmpty(comparison)) return isNegative(comparison) ? within({}) : negation(within({}))
  const [first = Number.NaN, last = first] = comparison.literals.map((literal) => numberIn(literal, notation))
  const found = within(rangeOf(comparison.comparator, first, last))
  return isNegative(comparison) ? negation(found) : found
}

function rangeOf(comparator: Comparison['comparator'], first: number, last: number): NumberRange {
  if (comparator === '<') return { to: first, isBefore: true }
  if (comparator === '<=') return { to: first }
  if (comparator === '>') return { from: first, isAfter: true }
  if (comparator === '>=') return { from: first }
  return { from: first, to: last }
}

function numberIn(literal: QueryLiteral, { read, cause }: Notation): number {
  const text = literalText(literal)
  const number = read(text)
  if (number === undefined) throw new SearchFault('value_invalid', { cause, params: { value: text } })
  return number
}

const COMPARED = /^(<=|>=|<|>)\s*(\S.*)$/
const DECIMAL_NOTATION: Notation = {
  read: readDecimal,
  // The separating dash is not a sign of the first number or of its exponent.
  fromTo: /^([+-]?[\d.]+(?:e[+-]?\d+)?)\s*-\s*(\S+)$/i,
  cause: 'number',
}

/** The range syntax of criteria: `5`, `>=3`, `1-5`; undefined if the value has another form. */
export function rangeIn(value: unknown, { read, fromTo } = DECIMAL_NOTATION): NumberRange | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const number = read(text)
  if (number !== undefined) return { from: number, to: number }
  const [, operator, bound = ''] = COMPARED.exec(text) ?? []
  const end = read(bound)
  if (end !== undefined && (operator === '<' || operator === '<=' || operator === '>' || operator === '>='))
    return rangeOf(operator, end, end)
  const [from, to] = (fromTo.exec(text)?.slice(1) ?? []).map(read)
  return from === undefined || to === undefined ? undefined : { from, to }
}

function readDecimal(text: string): number | undefined {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number + 0 : undefined // Turns -0 into 0.
}

/** The range in integers, within the limits that the database can compare. */
function wholeRange({ from, to, isAfter = false, isBefore = false }: NumberRange): NumberRange {
  return {
    ...(from !== undefined && { from: countable(isAfter ? Math.floor(from) + 1 : Math.ceil(from)) }),
    ...(to !== undefined && { to: countable(isBefore ? Math.ceil(to) - 1 : Math.floor(to)) }),
  }
}

function countable(number: number): number {
  return Math.min(Math.max(number, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER) + 0
}
