import { fieldTypeOf } from '../field-types/field-types.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import type { Element } from '../tracker.ts'
import type { Condition, SortValue } from './condition.ts'
import { type SearchContext, type Comparator, type Comparison, SearchFault } from './field-search.ts'
import type { GroupValue, GroupContext } from './group-value.ts'

/** The meaning of a name in one tracker. */
export interface Meaning {
  /** Absent for metadata. */
  readonly element?: Element
  /** Throws `SearchFault`. */
  compare(comparison: Comparison, asking: SearchContext): Promise<Condition>
  /** Undefined: not sortable. */
  readonly sort: SortValue | undefined
  /** Undefined: not supported for grouping. */
  group?(telling: GroupContext): GroupValue | undefined
}

export function meaningOfElement(element: Element): Meaning {
  const { search } = fieldTypeOf(element)
  return {
    element,
    async compare(comparison, asking) {
      if (!search?.compare) throw new SearchFault('query_operator', { cause: 'field_type' })
      const [open] = comparison.literals.filter(({ kind }) => kind === 'open')
      if (open) throw new SearchFault('query_operator', { cause: 'function', params: { value: 'OPEN()' } })
      requireComparison(comparison, search.comparisons ?? [])
      return search.compare(comparison, element, asking)
    },
    sort: search?.sort?.(element),
    group: (telling) => search?.group?.(element, telling),
  }
}

export function requireComparison({ comparator }: Comparison, allowed: readonly Comparator[]): void {
  if (allowed.includes(comparator)) return
  throw new SearchFault('query_operator', { cause: 'operator', allowed, params: { operator: comparator } })
}

/** The fields that the viewer may use in a query; for queries about the past, unused fields come last. */
export function namedFields({ tracker, readable, mayRead }: TrackerAccess, isOfPast: boolean): readonly Element[] {
  const unused = isOfPast ? tracker.elements.filter((element) => !element.is_used && mayRead(element)) : []
  return [...readable, ...unused].filter((element) => fieldTypeOf(element).kind === 'field')
}

/** The value family of a field: fields of several trackers are comparable if their families are equal. */
export function familyOf(element: Element): string {
  const { list, search, type, unit = 'number' } = fieldTypeOf(element)
  if (list) return `list of ${element.bind?.type ?? type}`
  const sort = search?.sort?.(element)
  if (sort?.kind === 'number') return sort.unit === 'number' ? unit : 'date'
  return sort?.kind === 'text' ? 'text' : type
}
