import { draftComparison } from './draft-comparisons.ts'
import { type Drafting, someField, someId } from './drafts.ts'
import type { OracleField } from './model.ts'
import type { OracleAsOf, OracleLinkTerm, OracleQuery, OracleSortKey, OracleTerm } from './query.ts'
import { seesTracker } from './visibility.ts'
import { minuteOf, shifted, spanOf } from './zones.ts'

export function draftTql(drafting: Drafting): OracleQuery {
  const { random } = drafting
  const where = draftTerm(drafting, random.pick([0, 0, 1, 1, 2]))
  const as_of = random.chance(0.12) ? draftMoment(drafting) : undefined
  const sort = random.chance(0.35) ? draftSort(drafting) : undefined
  const order = random.chance(0.2) ? random.pick(['asc', 'desc'] as const) : undefined
  const hand = random.chance(0.3) ? { hand: random.integer(1, 31) } : {}
  return { kind: 'tql', where, ...hand, ...(as_of && { as_of }), ...(sort && { sort }), ...(order && { order }) }
}

function draftTerm(drafting: Drafting, depth: number, nesting = 0): OracleTerm {
  const { random } = drafting
  if (depth > 0) {
    const of = Array.from({ length: random.integer(2, 3) }, () => draftTerm(drafting, depth - 1, nesting))
    if (random.chance(0.2)) return { kind: 'not', of: { kind: random.pick(['and', 'or']), of } }
    return { kind: random.pick(['and', 'or', 'or']), of }
  }
  if (random.chance(0.05)) return { kind: 'not', of: draftTerm(drafting, 0, nesting) }
  if (random.chance(nesting > 0 ? 0.15 : 0.25) && nesting < 4) return draftLink(drafting, nesting)
  return draftComparison(drafting, nesting > 0)
}

function draftLink(drafting: Drafting, nesting: number): OracleLinkTerm {
  const { random, world } = drafting
  const form = random.pick([
    'parent',
    'children',
    'children',
    'to',
    'to',
    'from',
    'from',
    'covered',
    'covering',
  ] as const)
  if (form === 'covered' || form === 'covering') {
    const ends = random.chance(0.4) ? { ends: [someId(drafting)] } : {}
    return { kind: 'link', form, isNegated: random.chance(0.4), ...ends }
  }
  if (form !== 'parent' && random.chance(0.12))
    return { kind: 'link', form, isAll: true, where: draftNested(drafting, nesting) }
  const types = ['', '_is_child', ...world.linkTypes, ...(random.chance(0.05) ? ['no_such_type'] : [])]
  const type = (form === 'to' || form === 'from') && random.chance(0.4) ? random.pickAny(types) : undefined
  const isNegated = random.chance(0.3)
  return {
    kind: 'link',
    form,
    isNegated,
    ...(type !== undefined && { type }),
    ...draftEnds(drafting, isNegated, nesting),
  }
}

function draftEnds(drafting: Drafting, isNegated: boolean, nesting: number): Partial<OracleLinkTerm> {
  const { random, world } = drafting
  if (random.chance(0.25)) return {}
  if (random.chance(0.35)) return { ends: Array.from({ length: random.pick([1, 1, 3]) }, () => someLinked(drafting)) }
  if (random.chance(0.3)) return { where: draftNested(drafting, nesting) }
  const tracker = random.pickAny(world.trackers) ?? world.trackers[0]
  const isNot = random.chance(isNegated ? 0.05 : 0.25)
  const named = { tracker: { item_name: random.chance(0.04) ? 'no_such_tracker' : tracker.item_name, isNot } }
  const isKnown = named.tracker.item_name === tracker.item_name && !isNot && seesTracker(drafting.viewer, tracker)
  return isKnown && random.chance(0.5)
    ? { ...named, where: draftNested({ ...drafting, tracker }, nesting, true) }
    : named
}

/** Names resolve to fields of the linked tracker; without a tracker, only those with the same meaning in all. */
function draftNested(drafting: Drafting, nesting: number, isFixed = false): OracleTerm {
  const { random, world } = drafting
  const common: Drafting = {
    ...drafting,
    tracker: isFixed ? drafting.tracker : (world.trackers[1] ?? drafting.tracker),
  }
  return draftTerm(common, random.chance(0.3) ? 1 : 0, nesting + 1)
}

function someLinked(drafting: Drafting): number {
  const { random, world } = drafting
  const from = random.pickAny(world.artifacts)
  const link = random.pickAny(from?.versions.at(-1)?.links ?? [])
  return random.chance(0.5) ? (link?.to ?? someId(drafting)) : someId(drafting)
}

function draftMoment({ random, world, viewer }: Drafting): OracleAsOf {
  const version = random.pickAny(random.pickAny(world.artifacts)?.versions ?? [])
  const at = (version?.at ?? world.now) + random.pick([0, 0, 1, -1, 500, 3_600_000])
  const written = new Date(at).toISOString()
  if (random.chance(0.1)) return { written: 'NOW()', at: world.now }
  if (random.chance(0.1)) return { written: '"2027-01-01"', at: world.now }
  if (random.chance(0.1)) return { written: 'NOW() - 7w', at: shifted(viewer.zone, world.now, -7, 'w') }
  if (random.chance(0.1)) {
    const minute = minuteOf(viewer.zone, at)
    return { written: `"${minute}"`, at: spanOf(viewer.zone, minute)[0] }
  }
  if (random.chance(0.3)) {
    const day = minuteOf(viewer.zone, at).slice(0, 10)
    return { written: `"${day}"`, at: endOfDay(viewer.zone, day) }
  }
  return { written: `"${written}"`, at }
}

function endOfDay(zone: string, day: string): number {
  return spanOf(zone, day)[1] - 1
}

const UNSORTED: readonly OracleField['kind'][] = ['links', 'perm', 'computed', 'cross', 'open']
const SORTED_META = ['@title', '@status', '@submitted_on', '@last_update_date', '@id'] as const

function draftSort(drafting: Drafting): OracleSortKey[] {
  const { random, tracker } = drafting
  const sortable = tracker.fields.filter(({ kind, isMultiple }) => !isMultiple && !UNSORTED.includes(kind))
  return Array.from({ length: random.pick([1, 1, 2, 3]) }, () => {
    const direction = random.pickAny([undefined, 'ASC', 'DESC', 'DESC', 'ASCENDING', 'DESCENDING'] as const)
    const of = { ...drafting, tracker: { ...tracker, fields: random.chance(0.03) ? tracker.fields : sortable } }
    const by = random.chance(0.2) ? random.pick(SORTED_META) : someField(of).name
    return { by, ...(direction && { direction }) }
  })
}
