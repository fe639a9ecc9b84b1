import { findPerson } from '../binds/users-bind.ts'
import { type Condition, not, NOTHING } from './condition.ts'
import { type Asking, type Comparison, type FieldSearch, SearchFault } from './field-search.ts'
import { type Finding, idsCompared, idsGiven, withoutNone } from './found-ids.ts'
import { isNegative, isOfEmpty } from './literals.ts'

type PersonFact = 'submitted_by' | 'last_update_by'

/** How somebody is searched who stands by every artifact. */
export function personSearch(fact: PersonFact): FieldSearch {
  return {
    operators: ['contains'],
    async criterion({ value }, _, asking) {
      const given = withoutNone(value)
      if (given.length === 0) return undefined
      const ids = await idsGiven(given, peopleIn(asking))
      return ids.length === 0 ? NOTHING : { kind: 'person', fact, ids }
    },
    comparisons: ['=', '!=', 'IN', 'NOT IN'],
    async compare(comparison, _, asking) {
      return comparePerson(fact, comparison, asking)
    },
    sort: () => ({ kind: 'login', fact }),
    group: () => ({ kind: 'person', of: { fact } }),
  }
}

export async function comparePerson(fact: PersonFact, comparison: Comparison, asking: Asking): Promise<Condition> {
  // Whoever was not signed in is nobody whom one could name.
  if (isOfEmpty(comparison))
    throw new SearchFault('query_operator', { cause: 'empty_string', params: { operator: comparison.comparator } })
  const found: Condition = { kind: 'person', fact, ids: await idsCompared(comparison, peopleIn(asking), asking) }
  return isNegative(comparison) ? not(found) : found
}

function peopleIn(asking: Asking): Finding {
  return { cause: 'user', named: async (login) => findPerson(login, asking) }
}
