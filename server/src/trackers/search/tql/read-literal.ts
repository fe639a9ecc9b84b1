import type { Period } from '../field-search.ts'
import { takeString } from './read-string.ts'
import type { Scanner } from './scanner.ts'
import type { PlacedLiteral } from './syntax.ts'

const NUMBER = /-?\d+(?:\.\d+)?/y
const INTEGER = /-?\d+/y
const CLOSED = /\)/y
const PERIOD = /(\d+)([dwmy])(?![\w-])/iy
// In any unit, this exceeds the range of years.
const MAX_PERIOD_COUNT = 999_999_999

export function needLiteral(scanner: Scanner): PlacedLiteral {
  const { position } = scanner
  const text = takeString(scanner)
  if (text !== undefined) return { kind: 'text', text, position }
  const number = scanner.take('number', NUMBER)
  if (number) return { kind: 'number', text: number[0], position }
  const now = takeNow(scanner)
  if (now) return now
  if (scanner.takeCall('MYSELF')) return { kind: 'myself', position }
  if (scanner.takeCall('OPEN')) return { kind: 'open', position }
  return scanner.fail()
}

export function takeNow(scanner: Scanner): Extract<PlacedLiteral, { kind: 'now' }> | undefined {
  const { position } = scanner
  if (!scanner.takeCall('NOW')) return undefined
  const sign = scanner.takeSymbol('+') ? 1 : scanner.takeSymbol('-') ? -1 : 0
  if (sign === 0) return { kind: 'now', position }
  return { kind: 'now', period: needPeriod(scanner, sign), position }
}

/** At least one literal; a trailing comma is allowed. */
export function needLiterals(scanner: Scanner): PlacedLiteral[] {
  return scanner.needList(() => {
    const literals = [needLiteral(scanner)]
    while (scanner.takeSymbol(',') && !scanner.match(CLOSED)) literals.push(needLiteral(scanner))
    return literals
  })
}

export function needInteger(scanner: Scanner): string {
  return (scanner.take('integer', INTEGER) ?? scanner.fail())[0]
}

function needPeriod(scanner: Scanner, sign: 1 | -1): Period {
  const [, count, unit] = scanner.take('period, such as 1d, 2w, 3m, 4y', PERIOD) ?? scanner.fail()
  return { count: Math.min(Number(count), MAX_PERIOD_COUNT) * sign || 0, unit: unitOf(unit) }
}

function unitOf(written: string | undefined): Period['unit'] {
  const unit = written?.toLowerCase()
  return unit === 'd' || unit === 'w' || unit === 'm' ? unit : 'y'
}
