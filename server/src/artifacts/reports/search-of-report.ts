import { hash } from 'node:crypto'
import { ApiError } from '../../platform/messages/errors.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { FoundReport } from '../../trackers/reports/find-report.ts'
import type { SortKey } from '../../trackers/search/condition.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { type Element, NONE_VALUE_ID, type Renderer, type Report } from '../../trackers/tracker.ts'
import { listReadableFields } from '../reading/artifact-table.ts'
import { readSearch, type ReadSearch } from '../search/read-search.ts'
import type { Asker } from '../reading/audience.ts'

/**
 * The search of a report with the viewer's permissions, not those of its author, in the order of the table. An unreadable
 * field is an unknown one, as in the viewer's own query; its name is not revealed, because the viewer did not type it.
 */
export async function searchOfReport(
  asker: Asker,
  { access, report, isPublic }: FoundReport,
  table: Renderer | undefined,
): Promise<ReadSearch> {
  const knowsText = !isPublic || access.administers
  const search = await readSearch(asker, access, givenIn(report, access)).catch((error: unknown) => {
    throw !knowsText && revealsHiddenField(error) ? unknownField(access) : error
  })
  const { isDescending } = search.order
  const keys = search.order.keys.length > 0 ? search.order.keys : keysOf(table, access)
  // The mark covers conditions and order, so a change of the report invalidates all cursors.
  const mark = hash('sha256', JSON.stringify([search.mark, keys]), 'base64url').slice(0, 16)
  return { ...search, order: { keys, isDescending }, mark }
}

function givenIn({ expert_query, criteria }: Report, access: TrackerAccess) {
  if (expert_query !== null) return { expert_query }
  const fields = listReadableFields(access)
  const members = criteria
    .filter(({ value }) => value !== null)
    .map(({ field_id, operator, value }) => {
      const field = fields.find(({ id }) => id === field_id)
      if (!field) throw unknownField(access)
      return [String(field_id), { operator: operator ?? 'contains', value: meant(value, field) }]
    })
  return members.length > 0 ? { body: Object.fromEntries(members) } : {}
}

/** Definitions identify list values by key; map keys to ids. */
function meant(value: unknown, { bind }: Element): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => idOf(each))
  return idOf(value)

  function idOf(each: unknown): unknown {
    if (bind?.type !== 'static') return each
    return each === '@none' ? NONE_VALUE_ID : (bind.values.find(({ key }) => key === each)?.id ?? each)
  }
}

/** Unreadable columns and sort keys are dropped, not refused. */
function keysOf(table: Renderer | undefined, access: TrackerAccess): readonly SortKey[] {
  const fields = listReadableFields(access)
  return (table?.sort ?? []).flatMap(({ field_id, direction }) => {
    const field = fields.find(({ id }) => id === field_id)
    const by = field && fieldTypeOf(field).search?.sort?.(field)
    return by ? [{ by, isDescending: direction === 'desc' }] : []
  })
}

/** True if the error names a field that the caller may not know. */
function revealsHiddenField(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return [error, ...(error.details?.all ?? [])].some(({ reason }) => REVEALING_REASONS.has(reason))
}

const REVEALING_REASONS: ReadonlySet<string> = new Set(['query_unknown_key', 'reference_unknown', 'value_invalid'])

/** The same error for a deleted field and for a hidden one. */
function unknownField(access: TrackerAccess): ApiError {
  return new ApiError('query_unknown_key', {
    cause: 'report_field',
    allowed: listReadableFields(access).map(({ name }) => name),
  })
}
