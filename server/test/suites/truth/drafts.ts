import type { RepeatableRandom } from '../fuzz/random.ts'
import {
  type OracleField,
  lastVersion,
  type OracleTracker,
  type OracleValue,
  type OracleVersion,
  type OracleViewer,
  type OracleWorld,
} from './model.ts'
import { readsField, seesTracker } from './visibility.ts'
import { randomWords } from './values.ts'

/** The inputs of a random question: a viewer, a tracker, and a random generator. */
export interface Drafting {
  readonly random: RepeatableRandom
  readonly world: OracleWorld
  readonly viewer: OracleViewer
  readonly tracker: OracleTracker
}

/** Mostly a readable field; sometimes an unreadable or unknown one. */
export function someField(
  { random, viewer, tracker }: Drafting,
  isMeant: (field: OracleField) => boolean = () => true,
): OracleField {
  const fields = tracker.fields.filter(isMeant)
  const readable = fields.filter((field) => readsField(viewer, field))
  const chosen = random.pickAny(random.chance(0.015) ? fields : readable)
  const nothing: OracleField = { ...NOBODYS, name: random.pick(['no_such_field', 'forgotten', 'secre', 'innerx']) }
  return random.chance(0.01) ? nothing : (chosen ?? nothing)
}

const NOBODYS: OracleField = {
  name: '',
  type: 'string',
  kind: 'text',
  readers: [],
  isMultiple: false,
  options: [],
  id: 9_999_999,
}

/** A version of an artifact of the tracker, often the last one. */
export function someVersion({ random, world, tracker }: Drafting): OracleVersion | undefined {
  const artifact = random.pickAny(world.artifacts.filter((each) => each.tracker === tracker))
  return artifact && (random.chance(0.7) ? lastVersion(artifact) : random.pickAny(artifact.versions))
}

/** A value that the field has somewhere; undefined if none was found after some tries. */
export function someValue(drafting: Drafting, { name }: OracleField): OracleValue | undefined {
  for (let attempt = 0; attempt < 6; attempt++) {
    const value = someVersion(drafting)?.values[name]
    if (value) return value
  }
  return undefined
}

/** A part of the value in random case, or words that may occur nowhere. */
export function someText(drafting: Drafting, value: OracleValue | undefined): string {
  const { random } = drafting
  if (value?.kind !== 'text' || random.chance(0.15)) return randomWords(random, 1, 2)
  const characters = Array.from(value.text)
  const begin = random.integer(0, characters.length - 1)
  const end = begin + random.integer(1, random.chance(0.3) ? 30 : 6)
  // A query is one line.
  const part = characters.slice(begin, end).join('').split('\n')[0] ?? ''
  const cased = random.chance(0.3) ? (random.chance(0.5) ? part.toUpperCase() : part.toLowerCase()) : part
  return cased === '' ? 'a' : cased
}

export function someTracker({ random, world, viewer }: Drafting): OracleTracker {
  const visible = world.trackers.filter((tracker) => seesTracker(viewer, tracker))
  return random.pickAny(visible) ?? world.trackers[0]
}

/** Mostly the id of an artifact; sometimes of a hidden or unknown one. */
export function someId({ random, world }: Drafting): number {
  return random.chance(0.9) ? (random.pickAny(world.artifacts)?.id ?? 1) : random.pick([1, 999_999_999])
}
