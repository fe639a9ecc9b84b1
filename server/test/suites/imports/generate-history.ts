import { createRepeatableRandom, type RepeatableRandom } from '../fuzz/random.ts'

/** The state of the fields that a version leaves, in a form of its own: the name of a field -> its value as text. */
export type FieldState = Readonly<Record<string, string>>

export interface GeneratedVersion {
  readonly author: string
  readonly time: Date
  readonly comment: string
  readonly state: FieldState
  /** The values as sent, by the name of the field. */
  readonly sent: Readonly<Record<string, unknown>>
}

export interface GeneratedArtifact {
  readonly key: string
  readonly id: number
  readonly versions: readonly GeneratedVersion[]
}

const STATUSES = ['Open', 'Working', 'Closed'] as const
const FRUITS = ['Apple', 'Pear', 'Plum'] as const
const MEMBERS = ['mara', 'tom', 'uma'] as const
/** Authors need not be members of the project. */
const AUTHORS = [...MEMBERS, 'olga', 'gus', 'sam'] as const
const WORDS = ['pump', 'gate', 'leaks', 'crate', 'orchard', 'naïve', 'Größe', 'valve', 'ladder', 'press'] as const
const MAX_VERSIONS_PER_ARTIFACT = 9
const START = Date.UTC(2012, 0, 1)

/** Fields of the tracker of every type: a random value, as sent and as text. */
const FIELDS: Readonly<Record<string, (random: RepeatableRandom) => { sent: unknown; text: string }>> = {
  summary: (random) => same(sentence(random, 5)),
  details: (random) => same(sentence(random, 20)),
  points: (random) => {
    const points = random.integer(-5, 1000)
    return { sent: points, text: String(points) }
  },
  effort: (random) => {
    const effort = random.integer(0, 400) / 4
    return { sent: effort, text: String(effort) }
  },
  due: (random) => same(new Date(START + random.integer(0, 5000) * 86_400_000).toISOString().slice(0, 10)),
  status: (random) => same(random.pick(STATUSES)),
  fruits: (random) => several(random, FRUITS),
  assigned_to: (random) => several(random, MEMBERS),
  tags: (random) => several(random, ['cold', 'fragile', `tag ${random.integer(1, 50)}`]),
}

/** Artifacts with this many versions in all: the same for the same seed. Ids are set, from `firstId` on. */
export function* generateHistories(seed: string, versions: number, firstId: number): Generator<GeneratedArtifact> {
  const random = createRepeatableRandom(seed)
  for (let left = versions, at = 0; left > 0; at++) {
    const count = Math.min(left, random.integer(1, MAX_VERSIONS_PER_ARTIFACT))
    left -= count
    yield { key: `OLD-${at + 1}`, id: firstId + at, versions: generateVersions(random, count, firstId, at) }
  }
}

function generateVersions(random: RepeatableRandom, count: number, firstId: number, at: number): GeneratedVersion[] {
  const versions: GeneratedVersion[] = []
  let state: FieldState = {}
  let time = START + random.integer(0, 3_000_000) * 1000
  for (let number = 0; number < count; number++) {
    const names = random.shuffled(Object.keys(FIELDS)).slice(0, number === 0 ? 6 : random.integer(1, 3))
    const given = new Map(names.map((name) => [name, FIELDS[name]?.(random) ?? same('')]))
    if (number === 0) given.set('summary', same(`${sentence(random, 4)} ${at}`))
    // An earlier artifact is there already: it has an earlier id.
    if (at > 0 && random.chance(0.1)) {
      const target = firstId + random.integer(Math.max(0, at - 400), at - 1)
      given.set('links', { sent: { links: [{ id: target, type: '' }] }, text: String(target) })
    }
    const changed = [...given].filter(([name, { text }]) => text !== (state[name] ?? ''))
    const comment = random.chance(0.3) ? `${sentence(random, 12)}, see art #${firstId}` : ''
    // A version that changes nothing is not stored, so it has a comment.
    const isIdle = changed.length === 0 && comment === ''
    state = { ...state, ...Object.fromEntries(changed.map(([name, { text }]) => [name, text])) }
    versions.push({
      author: random.pick(AUTHORS),
      time: new Date(time),
      comment: isIdle ? sentence(random, 3) : comment,
      state,
      sent: Object.fromEntries([...given].map(([name, { sent }]) => [name, sent])),
    })
    time += random.chance(0.2) ? random.integer(1, 900) : random.integer(1, 40_000_000)
  }
  return versions
}

function same(text: string) {
  return { sent: text, text }
}

function several(random: RepeatableRandom, from: readonly string[]) {
  const chosen = random.shuffled(from).slice(0, random.integer(1, 2))
  return { sent: chosen, text: chosen.toSorted().join() }
}

function sentence(random: RepeatableRandom, words: number): string {
  return Array.from({ length: words }, () => random.pick(WORDS)).join(' ')
}

/** The line of an import. Every second artifact names its plain fields by id. */
export function toLine(
  artifact: GeneratedArtifact,
  tracker: { readonly id: number; field(name: string): number },
): object {
  const byId = (sent: GeneratedVersion['sent']) =>
    Object.entries(sent).map(([name, value]) => ({ field_id: tracker.field(name), value }))
  const plain = new Set(['summary', 'details', 'points', 'effort', 'due'])
  return {
    source_key: artifact.key,
    tracker: { id: tracker.id },
    id: artifact.id,
    versions: artifact.versions.map(({ author, time, comment, sent }) => {
      const isPlain = artifact.id % 2 === 0 && Object.keys(sent).every((name) => plain.has(name))
      return {
        author,
        time: time.toISOString(),
        ...(isPlain ? { values: byId(sent) } : { values_by_field: sent }),
        ...(comment !== '' && { comment: { body: comment, format: 'text' } }),
      }
    }),
  }
}
