import { type Condition, negation, ALWAYS_FALSE, type SortValue } from '../search/condition.ts'
import type { SearchContext, FieldSearch } from '../search/field-search.ts'
import { type ValueLookup, idsCompared, idsGiven, withoutNone } from '../search/found-ids.ts'
import { isNegative, isOfEmpty } from '../search/literals.ts'
import type { Element } from '../tracker.ts'
import { bindOf } from './bind-of.ts'
import type { BoundList } from './bound-list.ts'

/** Search for lists whose values are all defined. */
export function listSearch(): FieldSearch {
  return {
    operators: ['contains'],
    async criterion({ value }, element, asking) {
      const given = withoutNone(value)
      return given.length === 0
        ? undefined
        : chosenCondition(element, await idsGiven(given, findingIn(element, asking)))
    },
    ...listComparisons(findingIn),
    group: (element, telling) => bindOf(element).search.group(element.id, telling),
  }
}

/** `finding`: how names and ids resolve to values of the list. */
export function listComparisons(
  finding: (element: Element, asking: SearchContext) => ValueLookup,
): Pick<FieldSearch, 'comparisons' | 'compare'> {
  return {
    comparisons: ['=', '!=', 'IN', 'NOT IN'],
    async compare(comparison, element, asking) {
      if (isOfEmpty(comparison)) return isNegative(comparison) ? anyChosen(element) : negation(anyChosen(element))
      const found = chosenCondition(element, await idsCompared(comparison, finding(element, asking), asking))
      return isNegative(comparison) ? negation(found) : found
    },
  }
}

export function chosenCondition({ id }: Element, ids: readonly number[]): Condition {
  return ids.length === 0 ? ALWAYS_FALSE : { kind: 'chosen', field: id, ids }
}

function anyChosen({ id }: Element): Condition {
  return { kind: 'chosen_any', field: id }
}

function findingIn(element: Element, asking: SearchContext): ValueLookup {
  return findingOf(bindOf(element), asking)
}

export function findingOf({ search }: BoundList, asking: SearchContext): ValueLookup {
  return {
    cause: search.cause,
    named: async (name) => search.named(name, asking),
    numberOf: (id) => search.numberOf?.(id, asking),
  }
}

export function sortBySingle(element: Element): SortValue | undefined {
  return bindOf(element).search.sort?.(element.id)
}
