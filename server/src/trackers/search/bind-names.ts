import { fieldTypeOf } from '../fields/field-types.ts'
import type { Sight } from '../sight.ts'
import type { Element } from '../tracker.ts'
import type { Condition, SortValue } from './condition.ts'
import { type Asking, type Comparator, type Comparison, SearchFault } from './field-search.ts'
import type { GroupValue, Telling } from './group-value.ts'

/** What a name means in one tracker. */
export interface Meaning {
  /** Absent: what every artifact has. */
  readonly element?: Element
  /** Throws `SearchFault`. */
  compare(comparison: Comparison, asking: Asking): Promise<Condition>
  /** Undefined: it cannot be sorted by. */
  readonly sort: SortValue | undefined
  /** Undefined: artifacts cannot be counted by it. */
  group?(telling: Telling): GroupValue | undefined
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

/** The fields that the viewer may name there; of the past, those that are no longer used come last. */
export function namedFields({ tracker, readable, mayRead }: Sight, isOfPast: boolean): readonly Element[] {
  const unused = isOfPast ? tracker.elements.filter((element) => !element.is_used && mayRead(element)) : []
  return [...readable, ...unused].filter((element) => fieldTypeOf(element).kind === 'field')
}

/** What kind of value a field has, as far as fields of several trackers can be asked the same. */
export function familyOf(element: Element): string {
  const { list, search, type } = fieldTypeOf(element)
  if (list) return `list of ${element.bind?.type ?? type}`
  const sort = search?.sort?.(element)
  if (sort?.kind === 'number') return sort.unit === 'number' ? 'number' : 'date'
  return sort?.kind === 'text' ? 'text' : type
}
