import { parseExpression } from './parse-expression.ts'
import { parseSelect } from './parse-select.ts'
import { takeNow } from './read-literal.ts'
import { needString } from './read-string.ts'
import { removeBackslashes } from './remove-backslashes.ts'
import { Scanner } from './scanner.ts'
import type { AsOf, Expression, OrderKey, Query } from './syntax.ts'
import { SyntaxFault } from './syntax-fault.ts'

const MOST_KEYS = 3

/**
 * Reads a text of the query language, or throws a `SyntaxFault`. Some clients send each backslash twice: a text that
 * cannot be read is tried once more with one level of them removed.
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

/** Where a search in many trackers begins, whatever follows; undefined: the text is no such search. */
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
  while (keys.length < MOST_KEYS && scanner.takeSymbol(',')) keys.push(parseKey(scanner))
  return keys
}

function parseKey(scanner: Scanner): OrderKey {
  const { position } = scanner
  const by = scanner.needSearchable()
  if (scanner.takeKeyword('ASC') || scanner.takeKeyword('ASCENDING')) return { position, by, isDescending: false }
  return { position, by, isDescending: scanner.takeKeyword('DESC') || scanner.takeKeyword('DESCENDING') }
}
