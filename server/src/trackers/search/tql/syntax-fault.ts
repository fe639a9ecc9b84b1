/** A syntax error in a TQL text, with its position. The parser throws nothing else. */
export class SyntaxFault extends Error {
  readonly problem: 'syntax' | 'too_deep'
  /** Zero-based. */
  readonly position: number
  /** The expected tokens; empty if the query is too deep. */
  readonly expected: readonly string[]
  /** The maximum depth. */
  readonly deepest: number | undefined

  constructor(position: number, why: { readonly expected: readonly string[] } | { readonly deepest: number }) {
    super('expected' in why ? 'syntax' : 'too_deep')
    this.problem = 'expected' in why ? 'syntax' : 'too_deep'
    this.position = position
    this.expected = 'expected' in why ? why.expected : []
    this.deepest = 'deepest' in why ? why.deepest : undefined
  }
}
