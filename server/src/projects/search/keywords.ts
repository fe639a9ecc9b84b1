/** A word that is looked for, or a phrase: its words one after the other. */
export interface Term {
  readonly words: readonly string[]
  /** It need not end where a word ends. */
  readonly isBeginning: boolean
}

const QUOTES = '"“”„'
const PARTS = new RegExp(`[${QUOTES}]([^${QUOTES}]*)([${QUOTES}]|$)|[^\\s${QUOTES}]+`, 'gu')

/** What stands between quotes is a phrase. What is typed last may not be finished: it counts as a beginning too. */
export function readKeywords(keywords: string): Term[] {
  const terms = keywords.matchAll(PARTS).map(({ 0: whole, 1: phrase, 2: quote, index }): Term => {
    const isClosed = phrase !== undefined && quote !== ''
    const isLast = index + whole.length === keywords.trimEnd().length
    return { words: wordsIn(phrase ?? whole), isBeginning: isLast && !isClosed }
  })
  return terms.filter(({ words }) => words.length > 0).toArray()
}

/** A sentence that somebody pastes has its commas; nobody looks for them. */
function wordsIn(text: string): string[] {
  return text.split(/\s+/).flatMap((word) => word.replace(/(?<=.)[,;:.!?]+$/su, '') || [])
}

// Scripts that write words without a space between them: there is no telling where one begins.
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}'
const BEGINS = new RegExp(`^(?![${UNSPACED}])[\\p{L}\\p{N}]`, 'u')
const ENDS = new RegExp(`(?![${UNSPACED}])[\\p{L}\\p{N}]$`, 'u')

/** How letters and digits are written in a class of a regular expression. */
export const POSTGRES = '[:alnum:]'
export const JAVASCRIPT = '\\p{L}\\p{N}'
const LETTER = /[\p{L}\p{N}]/u

/** Stands between two texts that are looked through as one: no phrase reaches over it. */
const SEAM = '\u0001'

/**
 * A regular expression for a term. Words are whole: `leak` is not in `leaks`, unless it may be a beginning. Between those
 * of a phrase may stand anything but letters, such as markup: so no word of a phrase is made of that alone, and there is
 * one way only to read a text.
 */
export function patternOf({ words, isBeginning }: Term, letters: typeof POSTGRES | typeof JAVASCRIPT): string {
  const lettered = words.filter((word) => LETTER.test(word))
  const said = lettered.length === 0 ? words.slice(0, 1) : lettered
  const text = said.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join(`[^${letters}${SEAM}]+`)
  const before = BEGINS.test(said[0] ?? '') ? `(?<![${letters}])` : ''
  const behind = !isBeginning && ENDS.test(said.at(-1) ?? '') ? `(?![${letters}])` : ''
  return `${before}${text}${behind}`
}
