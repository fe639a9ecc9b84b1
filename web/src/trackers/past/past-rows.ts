import type { Answer } from '@waypost/sdk/answer'
import type { Artifact, Tracker } from '@waypost/sdk/api'
import type { WithValues } from '../../artifacts/artifact-queries.ts'
import { differingFields } from '../../artifacts/past/differing-fields.ts'
import { api } from '../../api.ts'
import { RowLoader, type RowSource } from '../row-loader.ts'
import { columnFields, type TableQuery } from '../table-source.ts'
import { addTerm } from '../tql/terms.ts'
import { pastQuestion, presentCondition } from './past-table-query.ts'

/** A row of the past, compared with the present. */
export interface ComparedRow {
  /** The version that was current then; undefined: it still is. */
  readonly version: number | undefined
  /** The artifact today; undefined if it is unchanged or gone. */
  readonly now: WithValues | undefined
  /** The shown fields that are different today. */
  readonly differing: ReadonlySet<number>
  /** The artifact has been deleted, or does not match any more. */
  readonly mark: 'gone' | 'no_match' | undefined
}

/** Each row of the past reads several versions. */
const PAST_PAGE_SIZE = 40
/** A query has at most 30 terms. */
const IDS_PER_QUERY = 20

/** The rows of a table as of a moment, each compared with its present state. */
export class PastRows extends RowLoader {
  readonly compared: ReadonlyMap<number, ComparedRow>

  constructor(source: RowSource, compared: ReadonlyMap<number, ComparedRow>) {
    super(source)
    this.compared = compared
  }
}

export function loadPastRows(tracker: Tracker, asked: TableQuery, at: string): PastRows {
  const compared = new Map<number, ComparedRow>()
  const question = pastQuestion(asked, at)
  const path = { id: tracker.id }
  const shown = { fields: asked.columns }
  const source: RowSource = {
    tracker: tracker.id,
    page: PAST_PAGE_SIZE,
    live: undefined,
    isStill: true,
    async read(offset, limit, signal): Promise<Answer<Artifact[]>> {
      const query = { ...question, limit, offset }
      const answer = await api.call('GET /trackers/{id}/artifacts', { path, query, signal })
      if (!answer.ok) return answer
      const rows = Array.isArray(answer.body) ? answer.body : []
      const changed = rows.filter(({ is_current }) => is_current === false).map(({ id }) => id)
      const [present, matching] = await Promise.all([
        loadPresent(changed, asked, signal),
        findMatching(
          rows.map(({ id }) => id),
          asked,
          signal,
        ),
      ])
      if (present?.ok === false) return present
      const today = new Map((present?.body.collection ?? []).map((each) => [each.id, each]))
      for (const row of rows) {
        const now = today.get(row.id)
        const isChanged = row.is_current === false
        const mark = isChanged && !now ? 'gone' : matching?.has(row.id) === false ? 'no_match' : undefined
        const differing = now ? differingFields(shown, row, now) : new Set<number>()
        compared.set(row.id, { version: isChanged ? row.version : undefined, now, differing, mark })
      }
      return { ...answer, body: rows }
    },
    async *ids() {
      // Rows of the past are not selected.
    },
  }
  return new PastRows(source, compared)
}

/** The present states of changed rows; undefined if there are none. */
async function loadPresent(ids: readonly number[], { columns }: TableQuery, signal: AbortSignal) {
  if (ids.length === 0) return undefined
  const query = { query: JSON.stringify({ id: ids }), fields: columnFields(columns), limit: PAST_PAGE_SIZE }
  return api.call('GET /artifacts', { query, signal })
}

/** The rows that match the condition today; undefined if it cannot be known. */
async function findMatching(
  ids: readonly number[],
  { tracker, query: written }: TableQuery,
  signal: AbortSignal,
): Promise<ReadonlySet<number> | undefined> {
  const where = presentCondition(written)
  if (where === '') return undefined
  const matching = new Set<number>()
  for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
    const some = ids.slice(from, from + IDS_PER_QUERY).map((id) => `@id = ${id}`)
    const query = { expert_query: addTerm(where, `(${some.join(' OR ')})`), fields: 'id', limit: IDS_PER_QUERY }
    const answer = await api.call('GET /trackers/{id}/artifacts', { path: { id: tracker }, query, signal })
    // A long condition has no room for the ids.
    if (!answer.ok || !Array.isArray(answer.body)) return undefined
    for (const { id } of answer.body) matching.add(id)
  }
  return matching
}
