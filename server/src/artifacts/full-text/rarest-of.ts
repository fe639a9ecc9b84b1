import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { holds, isIndexed } from '../../projects/search/words-sql.ts'

const SAMPLE_IN_PERCENT = 0.1

/**
 * The word to begin with: of those that an index can find the rarest in a few of the texts, the longest of them.
 * Undefined: no index can find any.
 */
export async function rarestOf(tx: Tx, words: readonly string[]): Promise<string | undefined> {
  const indexed = words.filter(isIndexed).toSorted((one, other) => other.length - one.length)
  if (indexed.length < 2) return indexed[0]
  const counts = indexed.map((word) => sql`count(*) filter (where ${holds(sql`artifact_words.words`, word)})`)
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}] as counts
    from artifact_words tablesample system (${SAMPLE_IN_PERCENT})`.execute(tx)
  const [{ counts: found } = { counts: [] }] = rows
  return indexed[found.indexOf(Math.min(...found))] ?? indexed[0]
}
