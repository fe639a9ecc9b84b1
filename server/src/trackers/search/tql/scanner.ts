import type { Searchable } from './syntax.ts'
import { SyntaxFault } from './syntax-fault.ts'

const SPACE = /[ \t\r\n\u00a0]*/y
const WORD = /[\w-]+/y
const METADATA = /@[\w.]+/y
const COMPARING_SYMBOL = /[=<>]|!=/y
const OPENED = /\(/y
const END = /$/y
const DEEPEST = 64
const DEEPEST_LINK = 4

/**
 * Goes through a text once, from token to token. What a token is depends on what may stand there, so whoever reads says
 * what is wanted. What was wanted at the furthest place and was not there is what a fault tells.
 */
export class Scanner {
  /** Comparisons and link terms so far. */
  terms = 0
  readonly #text: string
  readonly #origin: (at: number) => number
  /** Always where a token begins. */
  #at = 0
  #furthest = 0
  readonly #expected = new Set<string>()
  #depth = 0
  #linkDepth = 0

  /** `origin`: where a character stood in the text as it was sent. */
  constructor(text: string, origin: (at: number) => number = (at) => at) {
    this.#text = text
    this.#origin = origin
    this.moveTo(0)
  }

  /** Of the next token, in the text as it was sent. */
  get position(): number {
    return this.#origin(this.#at)
  }

  /** Of the next token, in the text that is read: for tokens that are read in several steps. */
  get at(): number {
    return this.#at
  }

  moveTo(at: number): void {
    this.#at = this.#afterSpace(at)
  }

  /** What a sticky pattern matches there, without going past it. */
  match(pattern: RegExp, at: number = this.#at): RegExpExecArray | null {
    pattern.lastIndex = at
    return pattern.exec(this.#text)
  }

  /** Goes past what the pattern matches; null: it is not there. */
  take(expected: string, pattern: RegExp): RegExpExecArray | null {
    const found = this.match(pattern)
    if (found) this.moveTo(this.#at + found[0].length)
    else this.miss(expected)
    return found
  }

  takeSymbol(symbol: string): boolean {
    return this.#takeUpTo(this.#text.startsWith(symbol, this.#at) ? this.#at + symbol.length : undefined, symbol)
  }

  /** Several words are one keyword, with any white space between them. */
  takeKeyword(keyword: string): boolean {
    return this.#takeUpTo(this.#endOfWords(keyword), keyword)
  }

  /** Without arguments: `NOW()`. */
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

  /** What is read in parentheses; undefined: none opens here. */
  takeGroup<Read>(read: () => Read): Read | undefined {
    const { position } = this
    if (!this.takeSymbol('(')) return undefined
    if (++this.#depth > DEEPEST) throw new SyntaxFault(position, { deepest: DEEPEST })
    const inside = read()
    this.needSymbol(')')
    this.#depth--
    return inside
  }

  needGroup<Read>(read: () => Read): Read {
    return this.takeGroup(read) ?? this.fail()
  }

  /** The condition of the other end of a link, which begins with `WHERE`. */
  takeNested<Read>(read: () => Read): Read | undefined {
    const { position } = this
    if (!this.takeKeyword('WHERE')) return undefined
    if (++this.#linkDepth > DEEPEST_LINK) throw new SyntaxFault(position, { deepest: DEEPEST_LINK })
    const inside = this.needGroup(read)
    this.#linkDepth--
    return inside
  }

  /** What is read in the parentheses of a list, which nests nothing. */
  needList<Read>(read: () => Read): Read {
    this.needSymbol('(')
    const inside = read()
    this.needSymbol(')')
    return inside
  }

  /** This could have stood here. */
  miss(expected: string): void {
    if (this.#at > this.#furthest) {
      this.#furthest = this.#at
      this.#expected.clear()
    }
    this.#expected.add(expected)
  }

  /** Refuses what stands where something was missed last. */
  fail(): never {
    throw new SyntaxFault(this.#origin(this.#furthest), { expected: [...this.#expected] })
  }

  /** Refuses what stands there, inside a token. */
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
