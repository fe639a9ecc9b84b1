import type { QueryLiteral, Period } from '../field-search.ts'
import type {
  ComparisonTerm,
  Expression,
  LinkForm,
  LinkTerm,
  Query,
  Searchable,
  Select,
  SelectSource,
} from './syntax.ts'

/** Prints the query in canonical form; parsing it returns the same tree. */
export function printQuery({ isExplained, select, where, asOf, orderBy }: Query): string {
  return [
    isExplained && 'EXPLAIN',
    select && printSelect(select),
    where && (isExplained && !select ? printExplained(where) : printExpression(where)),
    asOf && `AS OF ${printLiteral(asOf.instant)}`,
    orderBy.length > 0 &&
      `ORDER BY ${orderBy.map(({ by, isDescending }) => printName(by) + (isDescending ? ' DESC' : '')).join(', ')}`,
  ]
    .filter(Boolean)
    .join(' ')
}

export function printExpression(expression: Expression): string {
  if (expression.kind === 'link') return printLink(expression)
  if (expression.kind === 'comparison') return printComparison(expression)
  if (expression.kind === 'not') return `NOT (${printExpression(expression.of)})`
  const { kind, of } = expression
  return of.map((each) => printOperand(each, kind)).join(` ${kind.toUpperCase()} `)
}

function printComparison({ searchable, comparator, literals }: ComparisonTerm): string {
  const written = literals.map(printLiteral).join(', ')
  return `${printName(searchable)} ${comparator} ${isOfMany(comparator) ? `(${written})` : written}`
}

function isOfMany(comparator: string): boolean {
  return comparator === 'BETWEEN' || comparator === 'IN' || comparator === 'NOT IN'
}

/** `AND` binds tighter than `OR`; other nested operands get parentheses. */
function printOperand(operand: Expression, outside: 'and' | 'or'): string {
  const isFree = operand.kind === 'and' ? outside === 'or' : operand.kind !== 'or'
  return isFree ? printExpression(operand) : `(${printExpression(operand)})`
}

/** `EXPLAIN NOT IN (…)` would be parsed as a comparison of a field named EXPLAIN. */
function printExplained(where: Expression): string {
  const written = printExpression(where)
  return /^NOT IN /i.test(written) ? `(${written})` : written
}

function printName({ kind, name }: Searchable): string {
  return kind === 'metadata' ? `@${name}` : name
}

function printLiteral(literal: QueryLiteral): string {
  if (literal.kind === 'text') return printString(literal.text)
  if (literal.kind === 'number') return literal.text
  if (literal.kind === 'now') return `NOW()${literal.period ? printPeriod(literal.period) : ''}`
  return literal.kind === 'myself' ? 'MYSELF()' : 'OPEN()'
}

function printPeriod({ count, unit }: Period): string {
  return ` ${count < 0 ? '-' : '+'} ${Math.abs(count)}${unit}`
}

function printString(text: string): string {
  const written = text
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('\r', String.raw`\u00000d`)
    .replaceAll('\n', String.raw`\u00000a`)
  return `"${written}"`
}

const FORMS: Readonly<Record<LinkForm, readonly [positive: string, negative: string, every: string]>> = {
  parent: ['WITH PARENT', 'WITHOUT PARENT', ''],
  children: ['WITH CHILDREN', 'WITHOUT CHILDREN', 'WITH ALL CHILDREN'],
  linked_from: ['IS LINKED FROM', 'IS NOT LINKED FROM', 'WITH ALL LINKS FROM'],
  linked_to: ['IS LINKED TO', 'IS NOT LINKED TO', 'WITH ALL LINKS TO'],
  covered: ['IS COVERED', 'IS NOT COVERED', ''],
  covering: ['IS COVERING', 'IS NOT COVERING', ''],
}

function printLink({ form, isNot, isEvery, ends, tracker, where, type }: LinkTerm): string {
  const [positive, negative, every] = FORMS[form]
  return [
    isEvery ? every : isNot ? negative : positive,
    ends && form === 'covered' && 'BY',
    ends && (ends.length === 1 ? `ARTIFACT = ${ends[0]}` : `ARTIFACT IN (${ends.join(', ')})`),
    tracker && `TRACKER ${tracker.isNot ? '!=' : '='} ${printString(tracker.name)}`,
    where && `WHERE (${printExpression(where)})`,
    type && `WITH TYPE ${printString(type.name)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function printSelect({ columns, sources }: Select): string {
  return `SELECT ${columns.map(printName).join(', ')} FROM ${sources.map(printSource).join(' AND ')} WHERE`
}

function printSource({ subject, is }: SelectSource): string {
  if (is === 'MY_PROJECTS') return `@${subject} = MY_PROJECTS()`
  const names = is.map(({ text }) => printString(text)).join(', ')
  return is.length === 1 ? `@${subject} = ${names}` : `@${subject} IN (${names})`
}
