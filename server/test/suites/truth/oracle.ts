import { testCriterion } from './criteria.ts'
import type { OracleTracker, OracleViewer, OracleWorld } from './model.ts'
import type { Expected, OracleOrder, OracleQuery, OracleRefusal, OracleSortKey } from './query.ts'
import { type Scope, type ArtifactSnapshot, snapshotAt, type Test } from './scope.ts'
import { sees, seesTracker } from './visibility.ts'
import { comparatorOf } from './sorting.ts'
import { testTerm } from './terms.ts'

export interface OracleQuestion {
  readonly tracker: OracleTracker
  readonly viewer: OracleViewer
  readonly query: OracleQuery
}

export type OracleAnswer = Expected & {
  /** Fields with empty criteria. */
  readonly ignored: readonly string[]
}

/** The response that the contract requires, computed by checking every artifact. */
export function answerQuestion(world: OracleWorld, { tracker, viewer, query }: OracleQuestion): OracleAnswer {
  if (!seesTracker(viewer, tracker)) return { ignored: [], refusals: [notFound(viewer)] }
  const refusals: OracleRefusal[] = []
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
    const then = snapshotAt(artifact, scope.at)
    const now = snapshotAt(artifact, undefined)
    return then && now && test(then) ? [now] : []
  })
  return { ids: found.toSorted(order).map(({ artifact }) => artifact.id), ignored }
}

function testOf(scope: Scope, query: OracleQuery): { test: Test; ignored: readonly string[] } {
  if (query.kind === 'plain') return { test: () => true, ignored: [] }
  if (query.kind === 'tql') return { test: testTerm(scope, query.where), ignored: [] }
  const tests = query.criteria.map((criterion) => ({ field: criterion.field, test: testCriterion(scope, criterion) }))
  return {
    test: (seen) => tests.every(({ test }) => test?.(seen) ?? true),
    ignored: [...new Set(tests.flatMap(({ field, test }) => (test ? [] : [field])))],
  }
}

function orderOf(scope: Scope, sorted: readonly OracleSortKey[] | undefined, order: OracleOrder = 'asc') {
  if (sorted) return comparatorOf(scope, sorted)
  return (one: ArtifactSnapshot, other: ArtifactSnapshot) =>
    (one.artifact.id - other.artifact.id) * (order === 'asc' ? 1 : -1)
}

/** Anonymous viewers are asked to sign in. */
function notFound({ login }: OracleViewer): OracleRefusal {
  return { reason: login === undefined ? 'authentication_required' : 'not_found' }
}
