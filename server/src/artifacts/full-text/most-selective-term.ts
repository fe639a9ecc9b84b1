import { type RawBuilder, sql } from 'kysely'
import { foldedFileName, joinFile } from '../../files/names-of-files.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import { containsWord, isIndexed } from '../../projects/search/search-terms-sql.ts'

const SAMPLE_IN_PERCENT = 0.1

/**
 * The term to start with: the rarest indexed word in a sample of texts and file names, or the longest among equals.
 * Undefined if no word is indexed.
 */
export async function findMostSelectiveTerm(db: Db | Tx, words: readonly string[]): Promise<string | undefined> {
  const indexed = words.filter(isIndexed).toSorted((one, other) => other.length - one.length)
  if (indexed.length < 2) return indexed[0]
  const countsIn = async (text: RawBuilder<string>, from: RawBuilder<unknown>) => {
    const counts = indexed.map((word) => sql`count(*) filter (where ${containsWord(text, word)})`)
    const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts from ${from}`.execute(
      db,
    )
    return rows[0]?.counts ?? []
  }
  const sample = sql`tablesample system (${SAMPLE_IN_PERCENT}) repeatable (1)`
  const inTexts = await countsIn(sql`artifact_words.words`, sql`artifact_words ${sample}`)
  const inNames = await countsIn(foldedFileName, sql`artifact_file ${sample} ${joinFile(sql`artifact_file.file_id`)}`)
  const found = inTexts.map((count, at) => count + (inNames[at] ?? 0))
  return indexed[found.indexOf(Math.min(...found))] ?? indexed[0]
}
