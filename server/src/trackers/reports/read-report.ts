import { toId } from '../../platform/database/ids.ts'
import { pointer, type Problems } from '../definition/problems.ts'
import type { CriterionDocument, RendererDocument, ReportDocument } from '../definition/schemas.ts'
import { fieldTypeOf } from '../fields/field-types.ts'
import { problemOfSyntax } from '../search/bind-problems.ts'
import { parseQuery, positionOfSelect } from '../search/tql/parse-query.ts'
import { SyntaxFault } from '../search/tql/syntax-fault.ts'
import type { Element, FieldId, Renderer, RendererId, Report, ReportCriterion, ReportId } from '../tracker.ts'
import { fieldsIn } from './fields-in-query.ts'

/** What is needed to read one report. */
export interface ReportReading {
  readonly problems: Problems
  /** The field in use that is meant; where there is none that fits, that is a problem. */
  readonly find: (name: string, path: string, isFit: (element: Element) => boolean) => Element | undefined
  readonly newId: (kind: 'report' | 'renderer') => number
}

const TABLE_LENGTH = 50
const isField = (element: Element) => fieldTypeOf(element).kind === 'field'
const isSortable = (element: Element) => fieldTypeOf(element).search?.sort?.(element) !== undefined

/** What a document says of a report. `known`: the one that it is to become of, with its ids. */
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

/** A query that can be read, and whose fields are there. What its values mean is only known when somebody asks. */
function readText(text: string, path: string, { problems, find }: ReportReading): string | null {
  if (text.trim() === '') return null
  const select = positionOfSelect(text)
  if (select !== undefined) {
    problems.add(path, 'query_malformed', { cause: 'select_not_supported', position: select })
    return text
  }
  try {
    const query = parseQuery(text)
    // A plan is no list of artifacts.
    if (query.isExplained) problems.add(path, 'query_malformed', { cause: 'syntax', position: 0 })
    // Of the past, fields can be named that are no longer used.
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

/** One keeps its id as long as there is one of its type and label. */
function readRenderers(
  given: readonly RendererDocument[],
  path: string,
  known: readonly Renderer[],
  { find, newId }: ReportReading,
): Renderer[] {
  const taken = new Set<RendererId>()
  return given.map(({ type, label = '', columns = [], page_size, sort = [], ...more }, at) => {
    const place = pointer(path, at)
    const isSame = (old: Renderer) => old.type === type && old.label === label && !taken.has(old.id)
    const id = known.find(isSame)?.id ?? toId<RendererId>(newId('renderer'))
    taken.add(id)
    const shown = columns.flatMap((name, index) => find(name, pointer(place, 'columns', index), isField)?.id ?? [])
    return {
      id,
      type,
      label,
      columns: [...new Set(shown)],
      page_size: page_size ?? (type === 'table' ? TABLE_LENGTH : null),
      sort: sort.flatMap(({ field: name, direction }, index) => {
        const field = find(name, pointer(place, 'sort', index, 'field'), isSortable)
        return field ? [{ field_id: field.id, direction }] : []
      }),
      more,
    }
  })
}
