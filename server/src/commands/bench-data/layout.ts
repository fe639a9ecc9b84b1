import { LINK_TYPE, type Role } from './bench-tracker.ts'
import { hash } from './chance.ts'

// The layout depends on the index of an artifact only, so that checks can compute expected results. Artifacts come in
// blocks of 1,000; one in 20 is restricted to the group blue, so 950 of a block are open.
const BLOCK = 1000
const GROUP = 20
const OPEN_OF_GROUP = GROUP - 1
const RESTRICTED_OF_BLOCK = BLOCK / GROUP
const OPEN_OF_BLOCK = BLOCK - RESTRICTED_OF_BLOCK
const HALF = OPEN_OF_BLOCK / 2
const NEAR_SLOTS = 4
const REFERENCES = [13, 101, 577] as const
/** Far links point 1/FAR of all blocks ahead. */
const FAR = 3

interface Link {
  /** Indexes count from 0, ids from 1. */
  readonly target: number
  readonly type: string
}

/** The index of the restricted artifact in a group of 20; pgbench computes the same. */
function restrictedPlace(group: number): number {
  return (group * 7 + 3) % GROUP
}

export function isRestricted(place: number): boolean {
  return place % GROUP === restrictedPlace(Math.floor(place / GROUP))
}

/** The index of the n-th unrestricted artifact. */
export function openPlace(rank: number): number {
  const group = Math.floor(rank / OPEN_OF_GROUP)
  const within = rank % OPEN_OF_GROUP
  return group * GROUP + within + (within >= restrictedPlace(group) ? 1 : 0)
}

/** The number of artifacts readable by this role, and the index of the n-th. */
export function readableBy(role: Role, size: number): { count: number; place: (rank: number) => number } {
  if (role !== 'member') return { count: size, place: (rank) => rank }
  return { count: (size / GROUP) * OPEN_OF_GROUP, place: openPlace }
}

function rankInBlock(place: number): number {
  const group = Math.floor(place / GROUP)
  const within = place % GROUP
  return ((group * OPEN_OF_GROUP) % OPEN_OF_BLOCK) + within - (within > restrictedPlace(group) ? 1 : 0)
}

function openInBlock(block: number, rank: number): number {
  return openPlace(block * OPEN_OF_BLOCK + (rank % OPEN_OF_BLOCK))
}

function restrictedInBlock(block: number, nth: number): number {
  const group = block * RESTRICTED_OF_BLOCK + nth
  return group * GROUP + restrictedPlace(group)
}

/** The restricted artifact of a block that is linked with this half of the open ones. */
function partner(half: number): number {
  return Math.floor((half * RESTRICTED_OF_BLOCK) / HALF)
}

/**
 * Each unrestricted artifact has five outgoing and five incoming links: four of each within its block, one of each far
 * away. Exactly one of the ten other ends is restricted: the far outgoing one for one half of the artifacts, the far
 * incoming one for the other.
 */
export function linksFrom(place: number, size: number): Link[] {
  const block = Math.floor(place / BLOCK)
  const blocks = size / BLOCK
  const far = (block + Math.max(1, Math.floor(blocks / FAR))) % blocks
  if (isRestricted(place)) {
    const nth = Math.floor(place / GROUP) % RESTRICTED_OF_BLOCK
    const halves = Array.from({ length: HALF }, (_, half) => half).filter((half) => partner(half) === nth)
    return halves.map((half) => ({ target: openInBlock(far, 2 * half + 1), type: '' }))
  }
  const rank = rankInBlock(place)
  const near = Array.from({ length: NEAR_SLOTS }, (_, slot) => {
    const target = openInBlock(block, rank + 1 + slot * 237 + (hash(block, 100 + slot) % 236))
    // A child comes after its parent; otherwise the links would form cycles.
    const first = target > place ? '_is_child' : LINK_TYPE
    return { target, type: [first, LINK_TYPE, LINK_TYPE, ''][slot] ?? '' }
  })
  const half = rank >> 1
  const target = rank % 2 === 0 ? restrictedInBlock(far, partner(half)) : openInBlock(far, 2 * ((half + 17) % HALF))
  return [...near, { target, type: '' }]
}

/** The number of links in both directions that an artifact shows to a role. */
export function linksShown(place: number, role: Role): number {
  if (role === 'member') return 9
  if (!isRestricted(place)) return 10
  const nth = Math.floor(place / GROUP) % RESTRICTED_OF_BLOCK
  return 2 * Array.from({ length: HALF }, (_, half) => half).filter((half) => partner(half) === nth).length
}

const SHARES = {
  details: 900,
  severity: 950,
  component: 800,
  kind: 600,
  assigned_to: 700,
  reviewer: 400,
  tags: 650,
  points: 700,
  hours: 500,
  due: 500,
  start: 600,
  checked: 300,
} as const
const FIELDS = Object.entries(SHARES)
const NEEDLES = 1000

/** True if the artifact has a value in an optional field. */
export function isFilled(place: number, name: keyof typeof SHARES): boolean {
  const at = FIELDS.findIndex(([each]) => each === name)
  return hash(place, 1 + at) % 1000 < SHARES[name]
}

/** Exactly 1,000 artifacts at every size. */
export function hasNeedle(place: number, size: number): boolean {
  return place % (size / NEEDLES) === 0
}

/** The artifacts that the texts of an artifact refer to. */
export function referencesFrom(place: number): number[] {
  if (!isFilled(place, 'details') || hash(place, 50) % 1000 >= 333) return []
  const block = place - (place % BLOCK)
  const count = 1 + (hash(place, 51) % REFERENCES.length)
  return REFERENCES.slice(0, count).map((step) => block + ((place + step) % BLOCK))
}

/** References to artifacts that the role may not see are hidden. */
function refersTo(place: number, role: Role): boolean {
  return referencesFrom(place).some((target) => role !== 'member' || !isRestricted(target))
}

function isReferredTo(place: number, role: Role): boolean {
  const block = place - (place % BLOCK)
  return REFERENCES.some((step, at) => {
    const source = block + ((place - step + BLOCK) % BLOCK)
    return referencesFrom(source).length > at && (role !== 'member' || !isRestricted(source))
  })
}

/**
 * The number of values that an artifact shows to a role, except those that measured writes change: points and total.
 */
export function valuesShown(place: number, size: number, role: Role): number {
  const always = 5 // title, status, links, artifact_id, number
  const filled = FIELDS.filter(
    ([name, share], at) => name !== 'points' && name !== 'component' && hash(place, 1 + at) % 1000 < share,
  ).length
  const component = isFilled(place, 'component') || hasNeedle(place, size) ? 1 : 0
  const serial = role === 'member' ? 1 : 0
  const access = isRestricted(place) ? 1 : 0
  const refs = refersTo(place, role) || isReferredTo(place, role) ? 1 : 0
  return always + filled + component + serial + access + refs
}
