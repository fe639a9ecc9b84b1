import { parseExpression } from './parse-expression.ts'
import { parseSelect } from './parse-select.ts'
import { takeNow } from './read-literal.ts'
import { needString } from './read-string.ts'
import { Scanner } from './scanner.ts'
import type { AsOf, Expression, OrderKey, Query } from './syntax.ts'
import { SyntaxFault } from './syntax-fault.ts'

export const MAX_ORDER_KEYS = 3

/**
 * Parses a TQL text, or throws a `SyntaxFault`. Some clients double each backslash: a text that cannot be parsed is
 * retried with one level of backslashes removed.
 */
export function parseQuery(text: string): Query {
  try {
    return parse(new Scanner(text))
  } catch (fault) {
    if (!(fault instanceof SyntaxFault) || !text.includes('\\')) throw fault
    const plain = removeBackslashes(text)
    try {
      return parse(new Scanner(plain.text, plain.origin))
    } catch {
      throw fault
    }
  }
}

/** The position of SELECT, which starts a cross-tracker search; undefined if the text is none. */
export function positionOfSelect(text: string): number | undefined {
  const scanner = new Scanner(text)
  takeExplain(scanner)
  return !scanner.isAtComparison() && scanner.isAtKeyword('SELECT') ? scanner.position : undefined
}

function takeExplain(scanner: Scanner): boolean {
  return !scanner.isAtComparison() && scanner.takeKeyword('EXPLAIN')
}

function parse(scanner: Scanner): Query {
  const isExplained = takeExplain(scanner)
  const select = parseSelect(scanner)
  const where = select ? parseExpression(scanner) : parseWhere(scanner)
  const asOf = parseAsOf(scanner)
  const orderBy = parseOrder(scanner)
  scanner.needEnd()
  const { terms } = scanner
  return { isExplained, ...(select && { select }), ...(where && { where }), ...(asOf && { asOf }), orderBy, terms }
}

function parseWhere(scanner: Scanner): Expression | undefined {
  const isAll = scanner.isAtEnd() || scanner.isAtKeyword('AS OF') || scanner.isAtKeyword('ORDER BY')
  return isAll ? undefined : parseExpression(scanner)
}

function parseAsOf(scanner: Scanner): AsOf | undefined {
  const { position } = scanner
  if (!scanner.takeKeyword('AS OF')) return undefined
  const { position: at } = scanner
  const instant = takeNow(scanner) ?? { kind: 'text', text: needString(scanner), position: at }
  return { position, instant }
}

function parseOrder(scanner: Scanner): OrderKey[] {
  if (!scanner.takeKeyword('ORDER BY')) return []
  const keys = [parseKey(scanner)]
  while (keys.length < MAX_ORDER_KEYS && scanner.takeSymbol(',')) keys.push(parseKey(scanner))
  return keys
}

function parseKey(scanner: Scanner): OrderKey {
  const { position } = scanner
  const by = scanner.needSearchable()
  if (scanner.takeKeyword('ASC') || scanner.takeKeyword('ASCENDING')) return { position, by, isDescending: false }
  return { position, by, isDescending: scanner.takeKeyword('DESC') || scanner.takeKeyword('DESCENDING') }
}

/** Removes one level of backslashes; `origin` maps positions back to the original text. */
function removeBackslashes(text: string): { text: string; origin: (at: number) => number } {
  const parts: string[] = []
  const origins: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    if (at < text.length) origins.push(at)
    parts.push(text[at] ?? '')
  }
  return { text: parts.join(''), origin: (at) => origins[at] ?? text.length }
}
