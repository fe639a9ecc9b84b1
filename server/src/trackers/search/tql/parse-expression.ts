import type { Comparator } from '../field-search.ts'
import { parseLink } from './parse-link.ts'
import { needLiteral, needLiterals } from './read-literal.ts'
import type { Scanner } from './scanner.ts'
import type { ComparisonTerm, Expression, PlacedLiteral } from './syntax.ts'

export function parseExpression(scanner: Scanner): Expression {
  return parseJoined(scanner, 'or', () => parseJoined(scanner, 'and', () => parseTerm(scanner)))
}

function parseJoined(scanner: Scanner, kind: 'and' | 'or', parseOne: () => Expression): Expression {
  const { position } = scanner
  const first = parseOne()
  const of = [first]
  while (scanner.takeKeyword(kind.toUpperCase())) of.push(parseOne())
  return of.length === 1 ? first : { kind, position, of }
}

function parseTerm(scanner: Scanner): Expression {
  if (scanner.isAtComparison()) return parseComparison(scanner)
  const { position } = scanner
  const parse = () => parseExpression(scanner)
  if (scanner.takeKeyword('NOT')) return { kind: 'not', position, of: scanner.needGroup(parse) }
  // Everything else is parsed as a comparison, which reports the fault.
  return scanner.takeGroup(parse) ?? parseLink(scanner, parse) ?? parseComparison(scanner)
}

function parseComparison(scanner: Scanner): ComparisonTerm {
  const { position } = scanner
  const searchable = scanner.needSearchable()
  scanner.terms++
  const comparatorPosition = scanner.position
  const comparator = needComparator(scanner)
  const literals = parseLiterals(scanner, comparator)
  return { kind: 'comparison', position, searchable, comparator, comparatorPosition, literals }
}

// Longer symbols come before their prefixes.
const SYMBOLS = ['=', '!=', '<=', '>=', '<', '>'] as const
const KEYWORDS = ['BETWEEN', 'IN', 'NOT IN'] as const

function needComparator(scanner: Scanner): Comparator {
  return (
    SYMBOLS.find((symbol) => scanner.takeSymbol(symbol)) ??
    KEYWORDS.find((keyword) => scanner.takeKeyword(keyword)) ??
    scanner.fail()
  )
}

function parseLiterals(scanner: Scanner, comparator: Comparator): PlacedLiteral[] {
  if (comparator === 'IN' || comparator === 'NOT IN') return needLiterals(scanner)
  if (comparator !== 'BETWEEN') return [needLiteral(scanner)]
  return scanner.needList(() => {
    const first = needLiteral(scanner)
    scanner.needSymbol(',')
    return [first, needLiteral(scanner)]
  })
}
