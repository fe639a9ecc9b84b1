import { JAVASCRIPT_LETTERS, termPattern, type SearchTerm } from './keywords.ts'

const CONTEXT_BEFORE_LENGTH = 60
const MAX_EXCERPT_LENGTH = 180
const MAX_BORDER_SHIFT = 20

/** The excerpt around the first matching term; undefined if none matches. The terms are folded, the text is not. */
export function cropAround(text: string, terms: readonly SearchTerm[]): string | undefined {
  const { folded, places } = fold(text)
  const hits = terms.flatMap((term) => {
    const at = folded.search(new RegExp(termPattern(term, JAVASCRIPT_LETTERS), 'u'))
    return at < 0 ? [] : at
  })
  return hits.length === 0 ? undefined : cropAt(text, places[Math.min(...hits)] ?? 0)
}

/** Whether a text, which is not folded, contains all terms. */
export function containsAllTerms(text: string, terms: readonly SearchTerm[]): boolean {
  const { folded } = fold(text)
  return terms.every((term) => new RegExp(termPattern(term, JAVASCRIPT_LETTERS), 'u').test(folded))
}

/** The start of the text. */
export function cropFrom(text: string): string {
  return cropAt(text, 0)
}

/** An excerpt, extended to whole words if a word boundary is near. */
function cropAt(text: string, hit: number): string {
  const from = hit <= CONTEXT_BEFORE_LENGTH ? 0 : wordBorder(text, hit - CONTEXT_BEFORE_LENGTH, 1)
  const to = from + MAX_EXCERPT_LENGTH >= text.length ? text.length : wordBorder(text, from + MAX_EXCERPT_LENGTH, -1)
  const shown = text.slice(from, to).trim()
  return `${from > 0 ? '… ' : ''}${shown}${to < text.length ? ' …' : ''}`
}

/** The next word boundary; if none is near, avoids splitting a surrogate pair. */
function wordBorder(text: string, at: number, step: 1 | -1): number {
  for (let place = at; Math.abs(place - at) < MAX_BORDER_SHIFT; place += step) if (text[place] === ' ') return place
  return /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1)) ? at + step : at
}

const LETTERS = new Map(Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }))

/** Removes case and accents, like `searchable` in SQL, and maps each character to its original offset. */
function fold(text: string): { folded: string; places: readonly number[] } {
  const places: number[] = []
  let folded = ''
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    const isPlain = piece < '\x80'
    const letters = isPlain ? piece.toLowerCase() : withoutAccents(piece)
    for (let at = 0; at < letters.length; at++) places.push(isPlain ? index + at : index)
    folded += letters
  }
  return { folded, places }
}

/** ASCII runs are handled as a whole, for speed; other characters one by one. */
const PIECES = /[\0-\x7f]+|[^\0-\x7f]/gu

function withoutAccents(character: string): string {
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return LETTERS.get(plain) ?? plain
}
