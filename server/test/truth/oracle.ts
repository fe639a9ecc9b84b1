import { testCriterion } from './criteria.ts'
import type { Tracker, Viewer, World } from './model.ts'
import type { Expected, Order, Query, Refusal, SortKey } from './query.ts'
import { type Scope, type Seen, seenAt, type Test } from './scope.ts'
import { sees, seesTracker } from './sight.ts'
import { comparatorOf } from './sorting.ts'
import { testTerm } from './terms.ts'

export interface Question {
  readonly tracker: Tracker
  readonly viewer: Viewer
  readonly query: Query
}

export type Answer = Expected & {
  /** Fields whose criteria said nothing. */
  readonly ignored: readonly string[]
}

/** What the contract says that the server must answer: every artifact is looked at, one after the other. */
export function answer(world: World, { tracker, viewer, query }: Question): Answer {
  if (!seesTracker(viewer, tracker)) return { ignored: [], refusals: [notFound(viewer)] }
  const refusals: Refusal[] = []
  const as_of = query.kind === 'tql' ? query.as_of : undefined
  const scope: Scope = {
    world,
    viewer,
    trackers: [tracker],
    now: world.now,
    refusals,
    ...(as_of && { at: as_of.at }),
  }
  const { test, ignored } = testOf(scope, query)
  const sorted = query.kind === 'tql' ? query.sort : undefined
  const order = orderOf(scope, sorted, query.order)
  const [first, ...more] = refusals
  if (first) return { refusals: [first, ...more], ignored }
  const found = world.artifacts.flatMap((artifact) => {
    if (artifact.tracker !== tracker || !sees(world, viewer, artifact)) return []
    const then = seenAt(artifact, scope.at)
    const now = seenAt(artifact, undefined)
    return then && now && test(then) ? [now] : []
  })
  return { ids: found.toSorted(order).map(({ artifact }) => artifact.id), ignored }
}

function testOf(scope: Scope, query: Query): { test: Test; ignored: readonly string[] } {
  if (query.kind === 'plain') return { test: () => true, ignored: [] }
  if (query.kind === 'tql') return { test: testTerm(scope, query.where), ignored: [] }
  const tests = query.criteria.map((criterion) => ({ field: criterion.field, test: testCriterion(scope, criterion) }))
  return {
    test: (seen) => tests.every(({ test }) => test?.(seen) ?? true),
    ignored: [...new Set(tests.flatMap(({ field, test }) => (test ? [] : [field])))],
  }
}

function orderOf(scope: Scope, sorted: readonly SortKey[] | undefined, order: Order = 'asc') {
  if (sorted) return comparatorOf(scope, sorted)
  return (one: Seen, other: Seen) => (one.artifact.id - other.artifact.id) * (order === 'asc' ? 1 : -1)
}

/** Whoever could sign in is asked to. */
function notFound({ login }: Viewer): Refusal {
  return { reason: login === undefined ? 'authentication_required' : 'not_found' }
}
