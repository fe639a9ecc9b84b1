export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'sign'
  readonly text: string
  readonly start: number
  readonly end: number
  /** True for a string without its closing quote. */
  readonly isOpen: boolean
}

const PATTERN =
  /(?<text>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(?<number>\d+(?:\.\d+)?(?![\w-]))|(?<word>@?[\p{L}\p{N}_.-]+|@)|(?<sign>[<>!]=|[=<>(),+])|\S/gu

/** Splits a TQL query into tokens. Only the server validates it. */
export function tokenize(query: string): Token[] {
  return [...query.matchAll(PATTERN)].map(({ 0: text, index: start, groups }) => {
    const kind = groups?.['text'] ? 'text' : groups?.['number'] ? 'number' : groups?.['word'] ? 'word' : 'sign'
    const isOpen = kind === 'text' && (text.length === 1 || !isClosed(text))
    return { kind, text, start, end: start + text.length, isOpen }
  })
}

function isClosed(text: string): boolean {
  const [quote = ''] = text
  return text.endsWith(quote) && !/(?<!\\)(?:\\\\)*\\.$/s.test(text)
}

export function isWord({ kind, text }: Token, ...words: string[]): boolean {
  return kind === 'word' && words.includes(text.toUpperCase())
}

/** A TQL string literal. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`
}
