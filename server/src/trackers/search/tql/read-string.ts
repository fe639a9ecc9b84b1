import type { Scanner } from './scanner.ts'

// Strings cannot contain NUL, because PostgreSQL text cannot store it.
const PLAIN = { '"': /[^"\\\r\n\0]*/y, "'": /[^'\\\r\n\0]*/y } as const
const QUOTE = /(")|'/y
const BACKSLASH = /\\/y
const ESCAPE = /\\(?:(\r\n|\r|\n)|u([0-9a-f]{1,6})|([^0-9a-f\r\n\0]))/iuy
const LAST_CHARACTER = 0x10ffff

/** A quoted string with its escapes resolved; undefined if none begins here. */
export function takeString(scanner: Scanner): string | undefined {
  const opened = scanner.match(QUOTE)
  if (!opened) {
    scanner.miss('string')
    return undefined
  }
  const quote = opened[1] ?? "'"
  const begin = scanner.at
  const { text, end } = readInside(scanner, begin + 1, quote === '"' ? PLAIN['"'] : PLAIN["'"])
  if (scanner.match(QUOTE, end)?.[0] !== quote) scanner.failAt(end, quote)
  // Lone surrogates are refused.
  if (!text.isWellFormed()) scanner.failAt(begin, 'string')
  scanner.moveTo(end + 1)
  return text
}

export function needString(scanner: Scanner): string {
  return takeString(scanner) ?? scanner.fail()
}

function readInside(scanner: Scanner, begin: number, plain: RegExp): { text: string; end: number } {
  const parts: string[] = []
  let end = begin
  while (true) {
    const run = scanner.match(plain, end)?.[0] ?? ''
    parts.push(run)
    end += run.length
    if (!scanner.match(BACKSLASH, end)) return { text: parts.join(''), end }
    const escape = scanner.match(ESCAPE, end) ?? scanner.failAt(end, 'escape')
    parts.push(meaningOf(escape) ?? scanner.failAt(end, 'escape'))
    end += escape[0].length
  }
}

function meaningOf([, lineBreak, code, itself]: RegExpExecArray): string | undefined {
  if (lineBreak !== undefined) return ''
  if (code === undefined) return itself
  const number = Number.parseInt(code, 16)
  return number > 0 && number <= LAST_CHARACTER ? String.fromCodePoint(number) : undefined
}
