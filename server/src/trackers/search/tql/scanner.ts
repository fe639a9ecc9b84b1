import type { Searchable } from './syntax.ts'
import { SyntaxFault } from './syntax-fault.ts'

const SPACE = /[ \t\r\n\u00a0]*/y
const WORD = /[\w-]+/y
const METADATA = /@[\w.]+/y
const COMPARING_SYMBOL = /[=<>]|!=/y
const OPENED = /\(/y
const END = /$/y
const MAX_DEPTH = 64
const MAX_LINK_DEPTH = 4

/**
 * Single-pass scanner. Tokens depend on the context, so the parser asks for the token it expects. A fault reports the
 * tokens expected at the furthest position reached.
 */
export class Scanner {
  /** Comparisons and link terms so far. */
  terms = 0
  readonly #text: string
  readonly #origin: (at: number) => number
  /** Always the start of a token. */
  #at = 0
  #furthest = 0
  readonly #expected = new Set<string>()
  #depth = 0
  #linkDepth = 0

  /** `origin` maps a position to the text as sent. */
  constructor(text: string, origin: (at: number) => number = (at) => at) {
    this.#text = text
    this.#origin = origin
    this.moveTo(0)
  }

  /** The position of the next token in the text as sent. */
  get position(): number {
    return this.#origin(this.#at)
  }

  /** The position of the next token in the scanned text, for tokens that are scanned in several steps. */
  get at(): number {
    return this.#at
  }

  moveTo(at: number): void {
    this.#at = this.#afterSpace(at)
  }

  /** Matches a sticky pattern without consuming it. */
  match(pattern: RegExp, at: number = this.#at): RegExpExecArray | null {
    pattern.lastIndex = at
    return pattern.exec(this.#text)
  }

  /** Consumes the match of the pattern; null if there is none. */
  take(expected: string, pattern: RegExp): RegExpExecArray | null {
    const found = this.match(pattern)
    if (found) this.moveTo(this.#at + found[0].length)
    else this.miss(expected)
    return found
  }

  takeSymbol(symbol: string): boolean {
    return this.#takeUpTo(this.#text.startsWith(symbol, this.#at) ? this.#at + symbol.length : undefined, symbol)
  }

  /** A keyword may consist of several words, separated by any white space. */
  takeKeyword(keyword: string): boolean {
    return this.#takeUpTo(this.#endOfWords(keyword), keyword)
  }

  /** Consumes a call without arguments: `NOW()`. */
  takeCall(name: string): boolean {
    return this.#takeUpTo(this.#endOfCall(name), `${name}()`)
  }

  needSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) this.fail()
  }

  needKeyword(keyword: string): void {
    if (!this.takeKeyword(keyword)) this.fail()
  }

  needSearchable(): Searchable {
    const { position } = this
    const field = this.take('field', WORD)
    if (field) return { kind: 'field', name: field[0], position }
    const metadata = this.take('@name', METADATA) ?? this.fail()
    return { kind: 'metadata', name: metadata[0].slice(1), position }
  }

  needEnd(): void {
    if (!this.take('end', END)) this.fail()
  }

  isAtKeyword(keyword: string): boolean {
    return this.#endOfWords(keyword) !== undefined
  }

  isAtEnd(): boolean {
    return this.match(END) !== null
  }

  /** A word before a comparator is the name of a field, even if it is a keyword elsewhere. */
  isAtComparison(): boolean {
    const name = this.match(METADATA) ?? this.match(WORD)
    if (!name) return false
    const after = this.#afterSpace(this.#at + name[0].length)
    if (this.match(COMPARING_SYMBOL, after)) return true
    return ['BETWEEN', 'IN', 'NOT IN'].some((keyword) => {
      const end = this.#endOfWords(keyword, after)
      return end !== undefined && this.match(OPENED, this.#afterSpace(end)) !== null
    })
  }

  /** Parses a parenthesized group; undefined if none opens here. */
  takeGroup<Read>(read: () => Read): Read | undefined {
    const { position } = this
    if (!this.takeSymbol('(')) return undefined
    if (++this.#depth > MAX_DEPTH) throw new SyntaxFault(position, { deepest: MAX_DEPTH })
    const inside = read()
    this.needSymbol(')')
    this.#depth--
    return inside
  }

  needGroup<Read>(read: () => Read): Read {
    return this.takeGroup(read) ?? this.fail()
  }

  /** Parses the condition on linked artifacts, which begins with `WHERE`. */
  takeNested<Read>(read: () => Read): Read | undefined {
    const { position } = this
    if (!this.takeKeyword('WHERE')) return undefined
    if (++this.#linkDepth > MAX_LINK_DEPTH) throw new SyntaxFault(position, { deepest: MAX_LINK_DEPTH })
    const inside = this.needGroup(read)
    this.#linkDepth--
    return inside
  }

  /** Parses a parenthesized list, which does not count as nesting. */
  needList<Read>(read: () => Read): Read {
    this.needSymbol('(')
    const inside = read()
    this.needSymbol(')')
    return inside
  }

  /** Records a token that was expected here. */
  miss(expected: string): void {
    if (this.#at > this.#furthest) {
      this.#furthest = this.#at
      this.#expected.clear()
    }
    this.#expected.add(expected)
  }

  /** Throws a fault at the furthest position, with the tokens expected there. */
  fail(): never {
    throw new SyntaxFault(this.#origin(this.#furthest), { expected: [...this.#expected] })
  }

  /** Throws a fault at a position inside a token. */
  failAt(at: number, expected: string): never {
    throw new SyntaxFault(this.#origin(at), { expected: [expected] })
  }

  #takeUpTo(end: number | undefined, expected: string): boolean {
    if (end === undefined) this.miss(expected)
    else this.moveTo(end)
    return end !== undefined
  }

  #endOfWords(keyword: string, begin: number = this.#at): number | undefined {
    let end = begin
    for (const word of keyword.split(' ')) {
      const at = end === begin ? begin : this.#afterSpace(end)
      if (this.match(WORD, at)?.[0].toUpperCase() !== word) return undefined
      end = at + word.length
    }
    return end
  }

  #endOfCall(name: string): number | undefined {
    const words = this.#endOfWords(name)
    if (words === undefined) return undefined
    const opened = this.#afterSpace(words)
    const closed = this.#afterSpace(opened + 1)
    return this.#text[opened] === '(' && this.#text[closed] === ')' ? closed + 1 : undefined
  }

  #afterSpace(at: number): number {
    return at + (this.match(SPACE, at)?.[0].length ?? 0)
  }
}
