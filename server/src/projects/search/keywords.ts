/** A searched word or phrase, as a sequence of words. */
export interface SearchTerm {
  readonly words: readonly string[]
  /** The last word may be a prefix. */
  readonly isBeginning: boolean
}

const QUOTES = '"“”„'
const PARTS = new RegExp(`[${QUOTES}]([^${QUOTES}]*)([${QUOTES}]|$)|[^\\s${QUOTES}]+`, 'gu')

/** Quoted text is a phrase. The last word may be incomplete, so it also matches as a prefix. */
export function parseKeywords(keywords: string): SearchTerm[] {
  const terms = keywords.matchAll(PARTS).map(({ 0: whole, 1: phrase, 2: quote, index }): SearchTerm => {
    const isClosed = phrase !== undefined && quote !== ''
    const isLast = index + whole.length === keywords.trimEnd().length
    return { words: splitWords(phrase ?? whole), isBeginning: isLast && !isClosed }
  })
  return terms.filter(({ words }) => words.length > 0).toArray()
}

/** The same for a query that is being typed: every word may be incomplete, and signs alone are dropped beside words. */
export function parseTyped(keywords: string): SearchTerm[] {
  const terms = parseKeywords(keywords).map((term) => ({ ...term, isBeginning: true }))
  const lettered = terms.filter(({ words }) => words.some((word) => LETTER.test(word)))
  return lettered.length > 0 ? lettered : terms
}

/** Drops trailing punctuation, which pasted sentences contain. */
function splitWords(text: string): string[] {
  return text.split(/\s+/).flatMap((word) => word.replace(/(?<=.)[,;:.!?]+$/su, '') || [])
}

// Scripts without spaces between words, where word starts cannot be detected.
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}'
const BEGINS = new RegExp(`^(?![${UNSPACED}])[\\p{L}\\p{N}]`, 'u')
const ENDS = new RegExp(`(?![${UNSPACED}])[\\p{L}\\p{N}]$`, 'u')

/** Letters and digits, as the content of a bracket expression. */
export const POSTGRES_LETTERS = '[:alnum:]'
export const JAVASCRIPT_LETTERS = '\\p{L}\\p{N}'
const LETTER = /[\p{L}\p{N}]/u

/** Separates concatenated texts, so that no phrase matches across them. */
const SEAM = '\u0001'

/**
 * The regular expression of a term. Words match as a whole: `leak` does not match `leaks`, unless it is a prefix. Words
 * of a phrase may be separated by anything but letters, such as markup. No word consists of separators alone, so
 * matching is unambiguous.
 */
export function termPattern(
  { words, isBeginning }: SearchTerm,
  letters: typeof POSTGRES_LETTERS | typeof JAVASCRIPT_LETTERS,
): string {
  const lettered = words.filter((word) => LETTER.test(word))
  const said = lettered.length === 0 ? words.slice(0, 1) : lettered
  const text = said.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join(`[^${letters}${SEAM}]+`)
  const before = BEGINS.test(said[0] ?? '') ? `(?<![${letters}])` : ''
  const behind = !isBeginning && ENDS.test(said.at(-1) ?? '') ? `(?![${letters}])` : ''
  return `${before}${text}${behind}`
}
