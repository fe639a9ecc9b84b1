/** Why a text of the query language cannot be read, and where. Nothing else is ever thrown for a text. */
export class SyntaxFault extends Error {
  readonly problem: 'syntax' | 'too_deep'
  /** From 0. */
  readonly position: number
  /** What could have stood there; of what is too deep, nothing. */
  readonly expected: readonly string[]
  /** How deep it may be. */
  readonly deepest: number | undefined

  constructor(position: number, why: { readonly expected: readonly string[] } | { readonly deepest: number }) {
    super('expected' in why ? 'syntax' : 'too_deep')
    this.problem = 'expected' in why ? 'syntax' : 'too_deep'
    this.position = position
    this.expected = 'expected' in why ? why.expected : []
    this.deepest = 'deepest' in why ? why.deepest : undefined
  }
}
