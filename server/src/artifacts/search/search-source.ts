import { type RawBuilder, sql } from 'kysely'
import type { Condition, SortKey, StoredTextOf } from '../../trackers/search/condition.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import type { FieldId } from '../../trackers/tracker.ts'

/**
 * The table that a search reads under the name `artifact`. Summaries have the same columns as far as they go, so
 * conditions, permissions and orders are the same text on both.
 */
export type SearchSource = 'artifact' | 'artifact_summary'

/** The summaries that a search may read. Absent: they are not filled yet. */
export interface UsableSummaries {
  /** Fields that are the title of their tracker, and whose texts are in the summaries. */
  readonly titles: ReadonlySet<FieldId>
}

/** Links lead to any tracker, so all trackers have to be filled. */
export function usableSummaries(accesses: readonly TrackerAccess[]): UsableSummaries | undefined {
  const trackers = accesses.map(({ tracker }) => tracker)
  if (trackers.length === 0 || !trackers.every(({ summaries }) => summaries.are_complete)) return undefined
  return {
    titles: new Set(
      trackers.flatMap(({ summaries, semantics }) => (summaries.have_titles ? (semantics.title ?? []) : [])),
    ),
  }
}

export function fromSource(source: SearchSource): RawBuilder<unknown> {
  return source === 'artifact' ? sql`artifact` : sql`artifact_summary artifact`
}

/** The narrowest source that has everything that the condition and the order name. */
export function chooseSource(
  summaries: UsableSummaries | undefined,
  condition: Condition,
  keys: readonly SortKey[] = [],
): SearchSource {
  if (!summaries) return 'artifact'
  const isNarrow = isInSummary(condition, summaries) && keys.every((key) => isKeyInSummary(key, summaries))
  return isNarrow ? 'artifact_summary' : 'artifact'
}

/** True if the text is the title of its tracker, as the summaries have it. */
export function isTitle({ id, member = 'content' }: StoredTextOf, summaries: UsableSummaries | undefined): boolean {
  return member === 'content' && (summaries?.titles.has(id) ?? false)
}

function isInSummary(condition: Condition, summaries: UsableSummaries): boolean {
  if (condition.kind === 'all' || condition.kind === 'any')
    return condition.of.every((each) => isInSummary(each, summaries))
  if (condition.kind === 'not') return isInSummary(condition.of, summaries)
  if (condition.kind === 'fact' || condition.kind === 'fact_pattern') return condition.fact === 'id'
  if (condition.kind !== 'text') return true // Read from other tables, by the id of the artifact.
  return 'contains' in condition || ('isThere' in condition && isTitle(condition.field, summaries))
}

function isKeyInSummary({ by, or = [] }: SortKey, summaries: UsableSummaries): boolean {
  if (or.length > 0) return false
  if (by.kind === 'fact') return by.fact !== 'number' && by.fact !== 'rank'
  return by.kind !== 'text' || isTitle(by.field, summaries)
}
