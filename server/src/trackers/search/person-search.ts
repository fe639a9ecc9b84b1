import { findPerson } from '../binds/users-bind.ts'
import { type Condition, negation, ALWAYS_FALSE } from './condition.ts'
import { type SearchContext, type Comparison, type FieldSearch, SearchFault } from './field-search.ts'
import { type ValueLookup, idsCompared, idsGiven, withoutNone } from './found-ids.ts'
import { isNegative, isOfEmpty } from './literals.ts'

type PersonFact = 'submitted_by' | 'last_update_by'

/** Search for the submitter and the last updater. */
export function personSearch(fact: PersonFact): FieldSearch {
  return {
    operators: ['contains'],
    async criterion({ value }, _, asking) {
      const given = withoutNone(value)
      if (given.length === 0) return undefined
      const ids = await idsGiven(given, peopleIn(asking))
      return ids.length === 0 ? ALWAYS_FALSE : { kind: 'person', fact, ids }
    },
    comparisons: ['=', '!=', 'IN', 'NOT IN'],
    async compare(comparison, _, asking) {
      return comparePerson(fact, comparison, asking)
    },
    sort: () => ({ kind: 'login', fact }),
    group: () => ({ kind: 'person', of: { fact } }),
  }
}

export async function comparePerson(
  fact: PersonFact,
  comparison: Comparison,
  asking: SearchContext,
): Promise<Condition> {
  // Anonymous users have no name to compare with.
  if (isOfEmpty(comparison))
    throw new SearchFault('query_operator', { cause: 'empty_string', params: { operator: comparison.comparator } })
  const found: Condition = { kind: 'person', fact, ids: await idsCompared(comparison, peopleIn(asking), asking) }
  return isNegative(comparison) ? negation(found) : found
}

function peopleIn(asking: SearchContext): ValueLookup {
  return { cause: 'user', named: async (login) => findPerson(login, asking) }
}
