import { type Artifact, lastOf, type World } from './model.ts'
import type { LinkTerm, Term } from './query.ts'
import { refuse, type Scope, type Seen, seenAt, type Test } from './scope.ts'
import { sees, seesTracker } from './sight.ts'
import { testComparison } from './subjects.ts'

export function testTerm(scope: Scope, term: Term): Test {
  if (term.kind === 'compare') return testComparison(scope, term)
  if (term.kind === 'link') return testLink(scope, term)
  if (term.kind === 'not') {
    const test = testTerm(scope, term.of)
    return (seen) => !test(seen)
  }
  const tests = term.of.map((each) => testTerm(scope, each))
  return term.kind === 'and' ? (seen) => tests.every((test) => test(seen)) : (seen) => tests.some((test) => test(seen))
}

/** A link of the artifact, as far as the viewer can know of it: its type, and what is at the other end. */
interface End {
  readonly type: string
  readonly artifact: Artifact
  /** Absent: it was not there then, and is like nothing. */
  readonly seen: Seen | undefined
}

const TYPES = { parent: '_is_child', children: '_is_child', covered: '_covered_by', covering: '_covered_by' } as const

function testLink(scope: Scope, term: LinkTerm): Test {
  const { world, viewer } = scope
  const { form, isNegated = false, isAll = false, ends, tracker, where } = term
  if (isNegated && tracker?.isNot) return refuse(scope, 'query_malformed', 'double_negative')
  const isForward = form === 'children' || form === 'to' || form === 'covered'
  const type = form === 'to' || form === 'from' ? term.type : TYPES[form]
  const nested = where && testTerm(inside(scope, term), where)
  if (term.type !== undefined && term.type !== '' && !world.linkTypes.includes(term.type))
    return refuse(scope, 'reference_unknown', 'link_type')
  const isMeant = ({ type: its, artifact }: End) => (type === undefined || its === type) && fits(artifact)
  const fits = ({ id, tracker: { item_name } }: Artifact) =>
    (!ends || ends.includes(id)) && (!tracker || (item_name === tracker.item_name) !== tracker.isNot)
  const visible = (found: readonly End[]) => found.filter(({ artifact }) => sees(world, viewer, artifact))
  return (seen) => {
    const meant = visible(isForward ? forward(scope, seen) : reverse(scope, seen)).filter(isMeant)
    const matching = nested ? meant.filter(({ seen: end }) => end && nested(end)) : meant
    if (isAll) return meant.length > 0 && matching.length === meant.length
    return matching.length > 0 !== isNegated
  }
}

/** Names mean fields of the tracker that is named; else of any that the viewer sees. */
function inside(scope: Scope, { tracker }: LinkTerm): Scope {
  const trackers = scope.world.trackers.filter(
    (each) => seesTracker(scope.viewer, each) && (!tracker || (each.item_name === tracker.item_name) !== tracker.isNot),
  )
  return { ...scope, trackers }
}

function forward({ world, at }: Scope, { version }: Seen): End[] {
  return version.links.flatMap(({ to, type }) => {
    const target = artifactsOf(world).get(to)
    return target ? [{ type, artifact: target, seen: seenAt(target, at) }] : []
  })
}

/** Links from elsewhere are those of today, whatever moment is asked about: no version of this artifact holds them. */
function reverse({ world, at }: Scope, { artifact }: Seen): End[] {
  return linksTo(world, artifact.id).map(({ source, type }) => ({ type, artifact: source, seen: seenAt(source, at) }))
}

interface Incoming {
  readonly source: Artifact
  readonly type: string
}

const incoming = new WeakMap<World, Map<number, Incoming[]>>()

function linksTo(world: World, id: number): readonly Incoming[] {
  let found = incoming.get(world)
  if (!found) {
    found = new Map()
    for (const source of world.artifacts)
      for (const { to, type } of lastOf(source).links) found.set(to, [...(found.get(to) ?? []), { source, type }])
    incoming.set(world, found)
  }
  return found.get(id) ?? []
}

const byId = new WeakMap<World, Map<number, Artifact>>()

function artifactsOf(world: World): Map<number, Artifact> {
  let found = byId.get(world)
  if (!found) byId.set(world, (found = new Map(world.artifacts.map((artifact) => [artifact.id, artifact]))))
  return found
}
