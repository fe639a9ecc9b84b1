import { hash } from 'node:crypto'
import { ApiError } from '../../platform/words/errors.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import type { FoundReport } from '../../trackers/reports/find-report.ts'
import type { SortKey } from '../../trackers/search/condition.ts'
import type { Sight } from '../../trackers/sight.ts'
import { type Element, NONE, type Renderer, type Report } from '../../trackers/tracker.ts'
import { fieldsOf } from '../reading/artifact-table.ts'
import { readSearch, type ReadSearch } from '../search/read-search.ts'
import type { Asker } from '../writing/lookups.ts'

/**
 * What a report looks for, asked by this viewer: with his rights, whoever wrote it. A field of it that he may not read is
 * an unknown one, as in a query of his own; as the names in it are not from him, he is not told them. In the order of the
 * table.
 */
export async function searchOfReport(
  asker: Asker,
  { sight, report, isPublic }: FoundReport,
  table: Renderer | undefined,
): Promise<ReadSearch> {
  const knowsText = !isPublic || sight.administers
  const search = await readSearch(asker, sight, givenIn(report, sight)).catch((error: unknown) => {
    throw !knowsText && isTelling(error) ? unknownField(sight) : error
  })
  const { isDescending } = search.order
  const keys = search.order.keys.length > 0 ? search.order.keys : keysOf(table, sight)
  // Whoever changes the report, or its order, ends all walks through it.
  const mark = hash('sha256', JSON.stringify([search.mark, keys]), 'base64url').slice(0, 16)
  return { ...search, order: { keys, isDescending }, mark }
}

function givenIn({ expert_query, criteria }: Report, sight: Sight) {
  if (expert_query !== null) return { expert_query }
  const fields = fieldsOf(sight)
  const members = criteria
    .filter(({ value }) => value !== null)
    .map(({ field_id, operator, value }) => {
      const field = fields.find(({ id }) => id === field_id)
      if (!field) throw unknownField(sight)
      return [String(field_id), { operator: operator ?? 'contains', value: meant(value, field) }]
    })
  return members.length > 0 ? { body: Object.fromEntries(members) } : {}
}

/** Values of a list are named by their keys, as in all of a definition. */
function meant(value: unknown, { bind }: Element): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => idOf(each))
  return idOf(value)

  function idOf(each: unknown): unknown {
    if (bind?.type !== 'static') return each
    return each === '@none' ? NONE : (bind.values.find(({ key }) => key === each)?.id ?? each)
  }
}

/** Columns and order are a matter of looks: what he may not read is left out of them. */
function keysOf(table: Renderer | undefined, sight: Sight): readonly SortKey[] {
  const fields = fieldsOf(sight)
  return (table?.sort ?? []).flatMap(({ field_id, direction }) => {
    const field = fields.find(({ id }) => id === field_id)
    const by = field && fieldTypeOf(field).search?.sort?.(field)
    return by ? [{ by, isDescending: direction === 'desc' }] : []
  })
}

/** A refusal that says what something is called which the caller may know nothing of. */
function isTelling(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return [error, ...(error.details?.all ?? [])].some(({ reason }) => TELLING.has(reason))
}

const TELLING: ReadonlySet<string> = new Set(['query_unknown_key', 'reference_unknown', 'value_invalid'])

/** As little for a field that has gone as for one that is hidden. */
function unknownField(sight: Sight): ApiError {
  return new ApiError('query_unknown_key', { cause: 'report_field', allowed: fieldsOf(sight).map(({ name }) => name) })
}
