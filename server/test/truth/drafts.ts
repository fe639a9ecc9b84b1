import type { Random } from '../fuzz/random.ts'
import { type Field, lastOf, type Tracker, type Value, type Version, type Viewer, type World } from './model.ts'
import { readsField, seesTracker } from './sight.ts'
import { words } from './values.ts'

/** What a random question is made of: somebody who asks, a tracker, and chance. */
export interface Drafting {
  readonly random: Random
  readonly world: World
  readonly viewer: Viewer
  readonly tracker: Tracker
}

/** Mostly a field that may be read; now and then one that may not, or one that is not there. */
export function someField(
  { random, viewer, tracker }: Drafting,
  isMeant: (field: Field) => boolean = () => true,
): Field {
  const fields = tracker.fields.filter(isMeant)
  const readable = fields.filter((field) => readsField(viewer, field))
  const chosen = random.pickAny(random.chance(0.015) ? fields : readable)
  const nothing: Field = { ...NOBODYS, name: random.pick(['no_such_field', 'forgotten', 'secre', 'innerx']) }
  return random.chance(0.01) ? nothing : (chosen ?? nothing)
}

const NOBODYS: Field = {
  name: '',
  type: 'string',
  kind: 'text',
  readers: [],
  isMultiple: false,
  options: [],
  id: 9_999_999,
}

/** A version of an artifact of the tracker, often the last one. */
export function someVersion({ random, world, tracker }: Drafting): Version | undefined {
  const artifact = random.pickAny(world.artifacts.filter((each) => each.tracker === tracker))
  return artifact && (random.chance(0.7) ? lastOf(artifact) : random.pickAny(artifact.versions))
}

/** A value that the field has somewhere; undefined after some tries: it has none. */
export function someValue(drafting: Drafting, { name }: Field): Value | undefined {
  for (let attempt = 0; attempt < 6; attempt++) {
    const value = someVersion(drafting)?.values[name]
    if (value) return value
  }
  return undefined
}

/** A part of what stands there, in some case, or words that may stand nowhere. */
export function someText(drafting: Drafting, value: Value | undefined): string {
  const { random } = drafting
  if (value?.kind !== 'text' || random.chance(0.15)) return words(random, 1, 2)
  const characters = Array.from(value.text)
  const begin = random.integer(0, characters.length - 1)
  const end = begin + random.integer(1, random.chance(0.3) ? 30 : 6)
  // A query is one line.
  const part = characters.slice(begin, end).join('').split('\n')[0] ?? ''
  const cased = random.chance(0.3) ? (random.chance(0.5) ? part.toUpperCase() : part.toLowerCase()) : part
  return cased === '' ? 'a' : cased
}

export function someTracker({ random, world, viewer }: Drafting): Tracker {
  const visible = world.trackers.filter((tracker) => seesTracker(viewer, tracker))
  return random.pickAny(visible) ?? world.trackers[0]
}

/** Mostly of an artifact; sometimes one that is hidden, or not there at all. */
export function someId({ random, world }: Drafting): number {
  return random.chance(0.9) ? (random.pickAny(world.artifacts)?.id ?? 1) : random.pick([1, 999_999_999])
}
