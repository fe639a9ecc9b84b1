import { type OracleArtifact, lastVersion, type OracleWorld } from './model.ts'
import type { OracleLinkTerm, OracleTerm } from './query.ts'
import { refuseQuery, type Scope, type ArtifactSnapshot, snapshotAt, type Test } from './scope.ts'
import { sees, seesTracker } from './visibility.ts'
import { testComparison } from './subjects.ts'

export function testTerm(scope: Scope, term: OracleTerm): Test {
  if (term.kind === 'compare') return testComparison(scope, term)
  if (term.kind === 'link') return testLink(scope, term)
  if (term.kind === 'not') {
    const test = testTerm(scope, term.of)
    return (seen) => !test(seen)
  }
  const tests = term.of.map((each) => testTerm(scope, each))
  return term.kind === 'and' ? (seen) => tests.every((test) => test(seen)) : (seen) => tests.some((test) => test(seen))
}

/** A visible link of the artifact: its type, and its target. */
interface End {
  readonly type: string
  readonly artifact: OracleArtifact
  /** Absent: it did not exist then, and matches nothing. */
  readonly seen: ArtifactSnapshot | undefined
}

const TYPES = { parent: '_is_child', children: '_is_child', covered: '_covered_by', covering: '_covered_by' } as const

function testLink(scope: Scope, term: OracleLinkTerm): Test {
  const { world, viewer } = scope
  const { form, isNegated = false, isAll = false, ends, tracker, where } = term
  if (isNegated && tracker?.isNot) return refuseQuery(scope, 'query_malformed', 'double_negative')
  const isForward = form === 'children' || form === 'to' || form === 'covered'
  const type = form === 'to' || form === 'from' ? term.type : TYPES[form]
  const nested = where && testTerm(inside(scope, term), where)
  if (term.type !== undefined && term.type !== '' && !world.linkTypes.includes(term.type))
    return refuseQuery(scope, 'reference_unknown', 'link_type')
  const isMeant = ({ type: its, artifact }: End) => (type === undefined || its === type) && fits(artifact)
  const fits = ({ id, tracker: { item_name } }: OracleArtifact) =>
    (!ends || ends.includes(id)) && (!tracker || (item_name === tracker.item_name) !== tracker.isNot)
  const visible = (found: readonly End[]) => found.filter(({ artifact }) => sees(world, viewer, artifact))
  return (seen) => {
    const meant = visible(isForward ? forward(scope, seen) : reverse(scope, seen)).filter(isMeant)
    const matching = nested ? meant.filter(({ seen: end }) => end && nested(end)) : meant
    if (isAll) return meant.length > 0 && matching.length === meant.length
    return matching.length > 0 !== isNegated
  }
}

/** Names resolve to fields of the named tracker, or else of any visible one. */
function inside(scope: Scope, { tracker }: OracleLinkTerm): Scope {
  const trackers = scope.world.trackers.filter(
    (each) => seesTracker(scope.viewer, each) && (!tracker || (each.item_name === tracker.item_name) !== tracker.isNot),
  )
  return { ...scope, trackers }
}

function forward({ world, at }: Scope, { version }: ArtifactSnapshot): End[] {
  return version.links.flatMap(({ to, type }) => {
    const target = artifactsOf(world).get(to)
    return target ? [{ type, artifact: target, seen: snapshotAt(target, at) }] : []
  })
}

/** Incoming links are always the current ones: no version of this artifact holds them. */
function reverse({ world, at }: Scope, { artifact }: ArtifactSnapshot): End[] {
  return linksTo(world, artifact.id).map(({ source, type }) => ({
    type,
    artifact: source,
    seen: snapshotAt(source, at),
  }))
}

interface Incoming {
  readonly source: OracleArtifact
  readonly type: string
}

const incoming = new WeakMap<OracleWorld, Map<number, Incoming[]>>()

function linksTo(world: OracleWorld, id: number): readonly Incoming[] {
  let found = incoming.get(world)
  if (!found) {
    found = new Map()
    for (const source of world.artifacts)
      for (const { to, type } of lastVersion(source).links) found.set(to, [...(found.get(to) ?? []), { source, type }])
    incoming.set(world, found)
  }
  return found.get(id) ?? []
}

const byId = new WeakMap<OracleWorld, Map<number, OracleArtifact>>()

function artifactsOf(world: OracleWorld): Map<number, OracleArtifact> {
  let found = byId.get(world)
  if (!found) byId.set(world, (found = new Map(world.artifacts.map((artifact) => [artifact.id, artifact]))))
  return found
}
