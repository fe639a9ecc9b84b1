import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { termPattern, POSTGRES_LETTERS, type SearchTerm } from './keywords.ts'

/** The separator of concatenated texts, as `termPattern` expects it. */
export const SEAM_SQL = sql`chr(1)`

/** Removes case and accents from the terms, as in the searched texts. */
export async function foldTerms(db: Db | Tx, terms: readonly SearchTerm[]): Promise<SearchTerm[]> {
  const phrases = await foldPhrases(
    db,
    terms.map(({ words }) => words.join(' ')),
  )
  const folded = terms.map(({ isBeginning }, at) => {
    const words = phrases[at]?.split(/\s+/).filter((word) => word !== '') ?? []
    return { words, isBeginning }
  })
  return folded.filter(({ words }) => words.length > 0)
}

/** As `searchable` in SQL, which decides on letters beyond ASCII. */
async function foldPhrases(db: Db | Tx, phrases: readonly string[]): Promise<string[]> {
  if (phrases.every((phrase) => Buffer.byteLength(phrase) === phrase.length))
    return phrases.map((phrase) => phrase.toLowerCase())
  const { rows } = await sql<{ folded: string }>`
    select searchable(given.phrase) as folded
    from unnest(${phrases}::text[]) with ordinality as given (phrase, place) order by given.place`.execute(db)
  return rows.map(({ folded }) => folded)
}

/** Whether a folded text matches all terms. Without terms nothing matches. */
export function matchesAllTerms(text: RawBuilder<unknown>, terms: readonly SearchTerm[]): RawBuilder<boolean> {
  return terms.length === 0 ? sql`false` : allOf(termPatterns(terms).map((pattern) => sql`${text} ~ ${pattern}`))
}

/** Whether a folded text matches at least one term. */
export function matchesAnyTerm(text: RawBuilder<unknown>, terms: readonly SearchTerm[]): RawBuilder<boolean> {
  return sql`(${text} ~ any(${termPatterns(terms)}::text[]))`
}

function termPatterns(terms: readonly SearchTerm[]): string[] {
  return [...new Set(terms.map((term) => termPattern(term, POSTGRES_LETTERS)))]
}

/** The distinct words of all terms, for a prefilter by the trigram index. */
export function searchWords(terms: readonly SearchTerm[]): string[] {
  const words = [...new Set(terms.flatMap((term) => term.words))]
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word)))
}

const INDEXED = /[\p{L}\p{N}]{3}/u

/** Whether the trigram index supports the word; shorter words match too much. */
export function isIndexed(part: string): boolean {
  return INDEXED.test(part)
}

/** Whether a folded text contains the word; supported by the trigram index. */
export function containsWord(text: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  return sql`${text} like ${`%${part.replace(/[\\%_]/g, '\\$&')}%`}`
}
