import { type RawBuilder, sql } from 'kysely'
import type { StoredTextOf, TextTest } from '../../trackers/search/condition.ts'
import { isTitle, type SearchSource, type UsableSummaries } from './search-source.ts'
import { existsSql, likePattern, storedTextSql } from './sql-parts.ts'

interface TextSearch {
  readonly source?: SearchSource
  readonly summaries?: UsableSummaries | undefined
  readonly isOfFew?: true
}

/** The word index finds candidates; the position is checked in the value itself. */
export function textConditionSql(field: StoredTextOf, test: TextTest, searching: TextSearch): RawBuilder<boolean> {
  const { source, summaries } = searching
  const isNarrow = source === 'artifact_summary'
  const text = storedTextSql(sql`artifact.field_values`, field)
  if ('isThere' in test) return isNarrow ? sql`(artifact.title is not null)` : sql`(coalesce(${text}, '') <> '')`
  if ('pattern' in test) return sql`coalesce(${text} ~* ${test.pattern}, false)`
  const pattern = likePattern(test.contains)
  const isWorded = sql`artifact_words.artifact_id = artifact.id and artifact_words.words like searchable(${pattern})`
  const words = existsSql(sql`artifact_words where ${isWorded}`, searching)
  if (!isNarrow) return sql`(${words} and ${isLikeSql(text, pattern)})`
  if (isTitle(field, summaries))
    return hasDigit(test.contains)
      ? sql`(${words} and ${isTitleLikeSql(field, pattern)})`
      : isTitleLikeSql(field, pattern)
  return existsSql(
    sql`artifact_words join artifact worded on worded.id = artifact_words.artifact_id
      where ${isWorded} and ${isLikeSql(storedTextSql(sql`worded.field_values`, field), pattern)}`,
    searching,
  )
}

/**
 * A number is rare in texts, so the word index finds few candidates. Words may be in a third of all texts: comparing all
 * titles of the tracker is then faster than checking the candidates.
 */
function hasDigit(text: string): boolean {
  return text.split('').some((letter) => letter >= '0' && letter <= '9')
}

function isLikeSql(text: RawBuilder<unknown>, pattern: string): RawBuilder<boolean> {
  return sql`coalesce(caseless(${text}) like caseless(${pattern}), false)`
}

/** Summaries lack the folded form of long titles. */
function isTitleLikeSql(field: StoredTextOf, pattern: string): RawBuilder<boolean> {
  return sql`(case when artifact.folded_title is not null then artifact.folded_title like caseless(${pattern})
    when artifact.title is null then false
    else exists (select from artifact worded where worded.id = artifact.id
      and ${isLikeSql(storedTextSql(sql`worded.field_values`, field), pattern)}) end)`
}
