import { type RawBuilder, sql } from 'kysely'
import { foldedName, itsFile } from '../../files/names-of-files.ts'
import type { Tx } from '../../platform/database/db.ts'
import { holds, isIndexed } from '../../projects/search/words-sql.ts'

const SAMPLE_IN_PERCENT = 0.1

/**
 * The word to begin with: of those that an index can find the rarest in a few of the texts and of the names of files, the
 * longest of them. Undefined: no index can find any.
 */
export async function rarestOf(tx: Tx, words: readonly string[]): Promise<string | undefined> {
  const indexed = words.filter(isIndexed).toSorted((one, other) => other.length - one.length)
  if (indexed.length < 2) return indexed[0]
  const countsIn = async (text: RawBuilder<string>, from: RawBuilder<unknown>) => {
    const counts = indexed.map((word) => sql`count(*) filter (where ${holds(text, word)})`)
    const { rows } = await sql<{ counts: number[] }>`select array[${sql.join(counts)}] as counts from ${from}`.execute(
      tx,
    )
    return rows[0]?.counts ?? []
  }
  const sample = sql`tablesample system (${SAMPLE_IN_PERCENT})`
  const inTexts = await countsIn(sql`artifact_words.words`, sql`artifact_words ${sample}`)
  const inNames = await countsIn(foldedName, sql`artifact_file ${sample} ${itsFile(sql`artifact_file.file_id`)}`)
  const found = inTexts.map((count, at) => count + (inNames[at] ?? 0))
  return indexed[found.indexOf(Math.min(...found))] ?? indexed[0]
}
