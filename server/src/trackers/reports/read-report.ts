import { toId } from '../../platform/database/ids.ts'
import { pointer, type DefinitionProblems } from '../definition/problems.ts'
import type { CriterionDocument, RendererDocument, ReportDocument } from '../definition/schemas.ts'
import { fieldTypeOf } from '../field-types/field-types.ts'
import { problemOfSyntax } from '../search/bind-problems.ts'
import { parseQuery, positionOfSelect } from '../search/tql/parse-query.ts'
import { SyntaxFault } from '../search/tql/syntax-fault.ts'
import type { Element, FieldId, Renderer, RendererId, Report, ReportCriterion, ReportId } from '../tracker.ts'
import { fieldsIn } from './fields-in-query.ts'

/** Context for parsing one report. */
export interface ReportReading {
  readonly problems: DefinitionProblems
  /** Finds a used field; adds a problem if none matches. */
  readonly find: (name: string, path: string, isFit: (element: Element) => boolean) => Element | undefined
  readonly newId: (kind: 'report' | 'renderer') => number
}

const DEFAULT_TABLE_PAGE_SIZE = 50
const isField = (element: Element) => fieldTypeOf(element).kind === 'field'
const isSortable = (element: Element) => fieldTypeOf(element).search?.sort?.(element) !== undefined

/** Parses the document of a report. `known`: the existing report, which provides the ids. */
export function readReport(
  given: ReportDocument,
  path: string,
  known: Report | undefined,
  reading: ReportReading,
): Report {
  const { problems, newId } = reading
  const label = given.label.trim()
  if (label === '') problems.add(pointer(path, 'label'), 'parameter_required', { rule: 'required' })
  const expert_query = readText(given.expert_query ?? '', pointer(path, 'expert_query'), reading)
  const criteria = readCriteria(given.criteria ?? [], pointer(path, 'criteria'), reading)
  if (expert_query !== null && criteria.length > 0)
    problems.add(pointer(path, 'expert_query'), 'parameter_conflict', { cause: 'criteria_and_query' })
  return {
    id: known?.id ?? toId<ReportId>(newId('report')),
    label,
    description: given.description ?? '',
    is_default: given.default ?? false,
    expert_query,
    criteria,
    renderers: readRenderers(given.renderers ?? [], pointer(path, 'renderers'), known?.renderers ?? [], reading),
  }
}

/** Checks the syntax and the fields of a query. Its values are resolved when it runs. */
function readText(text: string, path: string, { problems, find }: ReportReading): string | null {
  if (text.trim() === '') return null
  const select = positionOfSelect(text)
  if (select !== undefined) {
    problems.add(path, 'query_malformed', { cause: 'select_not_supported', position: select })
    return text
  }
  try {
    const query = parseQuery(text)
    // EXPLAIN returns a plan, not a list of artifacts.
    if (query.isExplained) problems.add(path, 'query_malformed', { cause: 'syntax', position: 0 })
    // Queries about the past may use fields that are now unused.
    if (!query.asOf) for (const name of new Set(fieldsIn(query).map((each) => each.name))) find(name, path, isField)
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault
    const { reason, ...more } = problemOfSyntax(fault)
    problems.add(path, reason, more)
  }
  return text
}

function readCriteria(
  given: readonly CriterionDocument[],
  path: string,
  { problems, find }: ReportReading,
): ReportCriterion[] {
  const seen = new Set<FieldId>()
  return given.flatMap(({ field: name, operator = null, value = null }, at) => {
    const place = pointer(path, at)
    const field = find(name, pointer(place, 'field'), isField)
    if (operator !== null && value === null) problems.add(place, 'query_malformed', { cause: 'criterion' })
    if (!field) return []
    if (seen.has(field.id)) problems.add(pointer(place, 'field'), 'duplicate_entry', { rule: 'unique' })
    seen.add(field.id)
    const { operators } = fieldTypeOf(field).search ?? {}
    if (operator !== null && operators && !operators.some((each) => each === operator))
      problems.add(pointer(place, 'operator'), 'query_operator', {
        cause: 'operator',
        allowed: operators,
        params: { operator },
      })
    return [{ field_id: field.id, operator, value }]
  })
}

/** A renderer keeps its id as long as its type and label are unchanged. */
function readRenderers(
  given: readonly RendererDocument[],
  path: string,
  known: readonly Renderer[],
  { problems, find, newId }: ReportReading,
): Renderer[] {
  const taken = new Set<RendererId>()
  return given.map((document, at) => {
    const { type, label = '', columns = [], page_size, sort = [], column_widths = [], grouped_by, ...more } = document
    const place = pointer(path, at)
    if (type === 'table')
      for (const name of Object.keys(more))
        problems.add(pointer(place, name), 'member_unknown', { rule: 'unknown_member' })
    const isSame = (old: Renderer) => old.type === type && old.label === label && !taken.has(old.id)
    const id = known.find(isSame)?.id ?? toId<RendererId>(newId('renderer'))
    taken.add(id)
    const shown = columns.flatMap((name, index) => find(name, pointer(place, 'columns', index), isField)?.id ?? [])
    const group = grouped_by && find(grouped_by.field, pointer(place, 'grouped_by', 'field'), isField)
    return {
      id,
      type,
      label,
      columns: [...new Set(shown)],
      page_size: page_size ?? (type === 'table' ? DEFAULT_TABLE_PAGE_SIZE : null),
      sort: sort.flatMap(({ field: name, direction }, index) => {
        const field = find(name, pointer(place, 'sort', index, 'field'), isSortable)
        return field ? [{ field_id: field.id, direction }] : []
      }),
      column_widths: column_widths.flatMap(({ field: name, width }, index) => {
        const field = find(name, pointer(place, 'column_widths', index, 'field'), isField)
        return field ? [{ field_id: field.id, width }] : []
      }),
      grouped_by: group ? { field_id: group.id, ...(grouped_by?.bucket && { bucket: grouped_by.bucket }) } : null,
      more,
    }
  })
}
