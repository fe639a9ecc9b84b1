import type { LoadedTracker } from '../load-tracker.ts'
import type { Sight } from '../sight.ts'
import type { Element } from '../tracker.ts'
import { bindAsOf } from './bind-as-of.ts'
import { type BoundColumn, bindColumns } from './bind-columns.ts'
import { bindExpression } from './bind-expression.ts'
import { bindOrder } from './bind-order.ts'
import { createProblems, refuseText } from './bind-problems.ts'
import type { QueryScope } from './bind-scope.ts'
import type { Condition, SortKey } from './condition.ts'
import type { Asking } from './field-search.ts'
import type { Expression, Query } from './tql/syntax.ts'

/** A query whose names are understood. */
export interface BoundQuery {
  readonly condition: Condition
  /** What is selected; none: whatever a list shows. */
  readonly columns: readonly BoundColumn[]
  /** Before the id of the artifact, which comes last. */
  readonly sort: readonly SortKey[]
  /** The moment whose values are meant; absent: now. */
  readonly asOf?: Date
  /** All that are named, also those of the other ends of links. */
  readonly fields: readonly Element[]
  readonly terms: number
  /** What may be meant otherwise than it is understood. */
  readonly warnings: readonly string[]
}

const MOST_LITERALS = 1000

/** Finds what the names of a query mean, or refuses it with everything that is wrong with it. */
export async function bindQuery(query: Query, given: QueryScope): Promise<BoundQuery> {
  requireSize(query, given)
  const scope = remembering(given)
  const problems = createProblems(scope.path)
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

/** Before anything is looked up. */
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
  if (where && countLiterals(where) > MOST_LITERALS) refuse(MOST_LITERALS)
}

function countLiterals(expression: Expression): number {
  if (expression.kind === 'comparison') return expression.literals.length
  if (expression.kind === 'not') return countLiterals(expression.of)
  if (expression.kind === 'link')
    return (expression.ends?.length ?? 0) + (expression.where ? countLiterals(expression.where) : 0)
  return expression.of.reduce((sum, each) => sum + countLiterals(each), 0)
}

/** The same scope, which looks nothing up twice: many trackers are asked about the same people. */
function remembering(scope: QueryScope): QueryScope {
  const users = new Map<string, Promise<number | undefined>>()
  const askings = new Map<LoadedTracker, Asking>()
  const sights = new Map<string | undefined, Promise<readonly Sight[]>>()
  const types = new Map<'all', Promise<readonly string[]>>()
  return {
    ...scope,
    askingOf: (tracker) =>
      once(askings, tracker, () => {
        const asking = scope.askingOf(tracker)
        return { ...asking, findUser: async (login) => once(users, login, async () => asking.findUser(login)) }
      }),
    sightsOf: async (name) => once(sights, name?.toLowerCase(), async () => scope.sightsOf(name)),
    linkTypes: async () => once(types, 'all', async () => scope.linkTypes()),
  }
}

function once<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value): Value {
  const found = known.get(key) ?? find()
  known.set(key, found)
  return found
}
