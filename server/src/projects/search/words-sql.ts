import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { Tx } from '../../platform/database/db.ts'
import { patternOf, POSTGRES, type Term } from './keywords.ts'

/** Between two texts that are looked through as one, as `patternOf` knows it. */
export const SEAM = sql`chr(1)`

/** The terms without case and accents, as the texts are that they are looked for in. */
export async function foldTerms(tx: Tx, terms: readonly Term[]): Promise<Term[]> {
  const phrases = terms.map(({ words }) => words.join(' '))
  const { rows } = await sql<{ folded: string }>`
    select searchable(given.phrase) as folded
    from unnest(${phrases}::text[]) with ordinality as given (phrase, place) order by given.place`.execute(tx)
  const folded = terms.map(({ isBeginning }, at) => {
    const words = rows[at]?.folded.split(/\s+/).filter((word) => word !== '') ?? []
    return { words, isBeginning }
  })
  return folded.filter(({ words }) => words.length > 0)
}

/** Whether all terms are in a text that is folded. Without a term nothing is found. */
export function saysAll(text: RawBuilder<unknown>, terms: readonly Term[]): RawBuilder<boolean> {
  return terms.length === 0 ? sql`false` : allOf(patternsOf(terms).map((pattern) => sql`${text} ~ ${pattern}`))
}

/** Whether one of them is. */
export function saysSome(text: RawBuilder<unknown>, terms: readonly Term[]): RawBuilder<boolean> {
  return sql`(${text} ~ any(${patternsOf(terms)}::text[]))`
}

function patternsOf(terms: readonly Term[]): string[] {
  return [...new Set(terms.map((term) => patternOf(term, POSTGRES)))]
}

/** The words of all terms, each to be looked for by itself: what an index of parts of words finds holds them somewhere. */
export function partsOf(terms: readonly Term[]): string[] {
  const words = [...new Set(terms.flatMap((term) => term.words))]
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)))
}

const INDEXED = /[\p{L}\p{N}]{3}/u

/** Whether an index of parts of words knows it; anything shorter is in too much. */
export function isIndexed(part: string): boolean {
  return INDEXED.test(part)
}

/** Whether a part of a word is in a text that is folded; an index of parts can tell. */
export function holds(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  return sql`${text} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`
}
