import type { LoadedTracker } from '../load-tracker.ts'
import type { TrackerAccess } from '../tracker-access.ts'
import type { Element } from '../tracker.ts'
import { bindAsOf } from './bind-as-of.ts'
import { type BoundColumn, bindColumns } from './bind-columns.ts'
import { bindExpression } from './bind-expression.ts'
import { bindOrder } from './bind-order.ts'
import { createQueryProblems, refuseText } from './bind-problems.ts'
import type { QueryScope } from './bind-scope.ts'
import type { Condition, SortKey } from './condition.ts'
import type { SearchContext } from './field-search.ts'
import type { Expression, Query } from './tql/syntax.ts'

/** A query with resolved names. */
export interface BoundQuery {
  readonly condition: Condition
  /** The selected columns; empty: the default columns of a list. */
  readonly columns: readonly BoundColumn[]
  /** Sort keys; the artifact id is appended as the last key. */
  readonly sort: readonly SortKey[]
  /** The moment of the query; absent: now. */
  readonly asOf?: Date
  /** All fields of the query, including those behind links. */
  readonly fields: readonly Element[]
  readonly terms: number
  /** Warnings about ambiguous parts of the query. */
  readonly warnings: readonly string[]
}

const MAX_LITERALS = 1000

/** Resolves the names of a query; throws an error with all problems. */
export async function bindQuery(query: Query, given: QueryScope): Promise<BoundQuery> {
  requireSize(query, given)
  const scope = remembering(given)
  const problems = createQueryProblems(scope.path)
  const asOf = query.asOf && bindAsOf(query.asOf, { scope, problems })
  const binding = {
    scope,
    problems,
    isOfPast: asOf !== undefined,
    fields: new Set<Element>(),
    warnings: new Set<string>(),
  }
  const columns = bindColumns(query.select?.columns ?? [], scope, binding)
  const condition = await bindExpression(query.where, scope, binding)
  const sort = bindOrder(query.orderBy, scope, binding)
  problems.refuse()
  const { terms } = query
  const [fields, warnings] = [[...binding.fields], [...binding.warnings]]
  return { condition, columns, sort, ...(asOf && { asOf }), fields, terms, warnings }
}

/** Runs before any lookup. */
function requireSize({ where, terms }: Query, { path, mostTerms }: QueryScope): void {
  const refuse = (maximum: number) =>
    refuseText(path, {
      reason: 'parameter_out_of_range',
      rule: 'maximum',
      cause: 'too_complex',
      position: 0,
      allowed: { maximum },
    })
  if (terms > mostTerms) refuse(mostTerms)
  if (where && countLiterals(where) > MAX_LITERALS) refuse(MAX_LITERALS)
}

function countLiterals(expression: Expression): number {
  if (expression.kind === 'comparison') return expression.literals.length
  if (expression.kind === 'not') return countLiterals(expression.of)
  if (expression.kind === 'link')
    return (expression.ends?.length ?? 0) + (expression.where ? countLiterals(expression.where) : 0)
  return expression.of.reduce((sum, each) => sum + countLiterals(each), 0)
}

/** Memoizes the lookups of a scope: many trackers need the same people. */
function remembering(scope: QueryScope): QueryScope {
  const users = new Map<string, Promise<number | undefined>>()
  const askings = new Map<LoadedTracker, SearchContext>()
  const accesses = new Map<string | undefined, Promise<readonly TrackerAccess[]>>()
  const types = new Map<'all', Promise<readonly string[]>>()
  return {
    ...scope,
    searchContextFor: (tracker) =>
      once(askings, tracker, () => {
        const asking = scope.searchContextFor(tracker)
        return { ...asking, findUser: async (login) => once(users, login, async () => asking.findUser(login)) }
      }),
    findAccesses: async (name) => once(accesses, name?.toLowerCase(), async () => scope.findAccesses(name)),
    linkTypes: async () => once(types, 'all', async () => scope.linkTypes()),
  }
}

function once<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value): Value {
  const found = known.get(key) ?? find()
  known.set(key, found)
  return found
}
