import { type Condition, not, NOTHING, type SortValue } from '../search/condition.ts'
import type { Asking, FieldSearch } from '../search/field-search.ts'
import { type Finding, idsCompared, idsGiven, withoutNone } from '../search/found-ids.ts'
import { isNegative, isOfEmpty } from '../search/literals.ts'
import type { Element } from '../tracker.ts'
import { bindOf } from './bind-of.ts'
import type { BoundList } from './bound-list.ts'

/** How a list is searched whose values are all defined. */
export function listSearch(): FieldSearch {
  return {
    operators: ['contains'],
    async criterion({ value }, element, asking) {
      const given = withoutNone(value)
      return given.length === 0 ? undefined : chosen(element, await idsGiven(given, findingIn(element, asking)))
    },
    ...listComparisons(findingIn),
    group: (element, telling) => bindOf(element).search.group(element.id, telling),
  }
}

/** `findingIn`: how the values of the list are found. */
export function listComparisons(
  finding: (element: Element, asking: Asking) => Finding,
): Pick<FieldSearch, 'comparisons' | 'compare'> {
  return {
    comparisons: ['=', '!=', 'IN', 'NOT IN'],
    async compare(comparison, element, asking) {
      if (isOfEmpty(comparison)) return isNegative(comparison) ? anyChosen(element) : not(anyChosen(element))
      const found = chosen(element, await idsCompared(comparison, finding(element, asking), asking))
      return isNegative(comparison) ? not(found) : found
    },
  }
}

export function chosen({ id }: Element, ids: readonly number[]): Condition {
  return ids.length === 0 ? NOTHING : { kind: 'chosen', field: id, ids }
}

function anyChosen({ id }: Element): Condition {
  return { kind: 'chosen_any', field: id }
}

function findingIn(element: Element, asking: Asking): Finding {
  return findingOf(bindOf(element), asking)
}

export function findingOf({ search }: BoundList, asking: Asking): Finding {
  return {
    cause: search.cause,
    named: async (name) => search.named(name, asking),
    numberOf: (id) => search.numberOf?.(id, asking),
  }
}

export function sortBySingle(element: Element): SortValue | undefined {
  return bindOf(element).search.sort?.(element.id)
}
