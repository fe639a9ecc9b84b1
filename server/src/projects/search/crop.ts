import { JAVASCRIPT, patternOf, type Term } from './keywords.ts'

const BEFORE = 60
const LONGEST = 180
const BORDER = 20

/** What a text says around the first of the terms; undefined: it has none of them. The terms are folded, the text is not. */
export function cropAround(text: string, terms: readonly Term[]): string | undefined {
  const { folded, places } = fold(text)
  const hits = terms.flatMap((term) => {
    const at = folded.search(new RegExp(patternOf(term, JAVASCRIPT), 'u'))
    return at < 0 ? [] : at
  })
  return hits.length === 0 ? undefined : cut(text, places[Math.min(...hits)] ?? 0)
}

/** What it says first. */
export function cropFrom(text: string): string {
  return cut(text, 0)
}

/** Some of the text, whole words where that costs little. */
function cut(text: string, hit: number): string {
  const from = hit <= BEFORE ? 0 : border(text, hit - BEFORE, 1)
  const to = from + LONGEST >= text.length ? text.length : border(text, from + LONGEST, -1)
  const shown = text.slice(from, to).trim()
  return `${from > 0 ? '… ' : ''}${shown}${to < text.length ? ' …' : ''}`
}

/** The next place where a word ends; without one, at least no character is cut in two. */
function border(text: string, at: number, step: 1 | -1): number {
  for (let place = at; Math.abs(place - at) < BORDER; place += step) if (text[place] === ' ') return place
  return /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1)) ? at + step : at
}

const LETTERS = new Map(Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' }))

/** Without case and accents, much as the database does it (`searchable`), and where each character came from. */
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

/** Most texts are plain for most of their length: one character by itself is what is not. */
const PIECES = /[\0-\x7f]+|[^\0-\x7f]/gu

function withoutAccents(character: string): string {
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return LETTERS.get(plain) ?? plain
}
