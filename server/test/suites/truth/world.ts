import { isDeepStrictEqual } from 'node:util'
import { createRepeatableRandom, type RepeatableRandom } from '../fuzz/random.ts'
import { type OracleApi, requireSuccess } from './api.ts'
import { PARCELS, type PlannedField, type PlannedTracker, STAMPS } from './definitions.ts'
import { hideValue, createOracleTracker, readBack } from './make-tracker.ts'
import {
  type OracleArtifact,
  type OracleComment,
  type OracleField,
  type OracleGroup,
  lastVersion,
  type OracleLink,
  type OracleTracker,
  type OracleValue,
  type OracleVersion,
  type OracleViewer,
  type OracleWorld,
} from './model.ts'
import { isIn, readsField, sees } from './visibility.ts'
import { randomValue, randomWords } from './values.ts'
import { toBulkLine, type ArtifactWrite } from './write-artifact.ts'

/** The prepared environment: a server, a project with people, link types, and a test clock. */
export interface OracleProject {
  readonly api: OracleApi
  readonly project: number
  /** The id of the group `leads`. */
  readonly leads: number
  readonly people: readonly OracleViewer[]
  readonly linkTypes: readonly string[]
  setClock(at: number): void
}

export interface WorldPlan {
  readonly seed: string
  readonly artifacts: number
}

const BEGIN = Date.parse('2026-01-02T08:00:00Z')
const END = Date.parse('2026-06-14T20:00:00Z')
// A day that every month has, so that adding months is unambiguous.
const NOW = Date.parse('2026-06-15T10:20:30Z')

type Mutable = { -readonly [Member in keyof OracleArtifact]: OracleArtifact[Member] }

interface Making extends OracleProject {
  readonly random: RepeatableRandom
  readonly artifacts: Mutable[]
  readonly planned: ReadonlyMap<OracleTracker, PlannedTracker>
  /** Advances the clock; returns the time. */
  tick(): number
}

/** Creates the whole world over HTTP, and remembers every written value. */
export async function makeWorld(place: OracleProject, { seed, artifacts: count }: WorldPlan): Promise<OracleWorld> {
  const random = createRepeatableRandom(`world ${seed}`)
  place.setClock(BEGIN)
  for (const { login, zone } of place.people)
    if (zone !== 'UTC')
      await requireSuccess(
        place.api.send('PATCH', '/users/self', { as: login, body: JSON.stringify({ time_zone: zone }) }),
      )
  const parcels = await createOracleTracker(place, PARCELS)
  const stamps = await createOracleTracker(place, STAMPS)
  const at_once = Math.max(3, Math.ceil(count / 60))
  const updates = Math.ceil(count * 1.3)
  const step = (END - BEGIN) / ((count + updates) / at_once + 20)
  let now = BEGIN
  const tick = () => {
    now += Math.ceil(
      random.chance(0.3) ? 1000 * random.integer(1, 90) + random.integer(0, 999) : step * random.number() * 1.6,
    )
    place.setClock(now)
    return now
  }
  const planned = new Map([
    [parcels, PARCELS],
    [stamps, STAMPS],
  ])
  const making: Making = { ...place, random, artifacts: [], planned, tick }
  while (making.artifacts.length < count) await createSome(making, random.chance(0.3) ? stamps : parcels, at_once)
  for (let done = 0; done < updates; done += at_once)
    await updateSome(making, random.chance(0.3) ? stamps : parcels, at_once)
  for (const artifact of random.shuffled(making.artifacts).slice(0, Math.min(90, Math.ceil(count / 30)))) {
    tick()
    await requireSuccess(place.api.send('DELETE', `/artifacts/${artifact.id}`, { as: 'mara' }))
    artifact.isDeleted = true
  }
  await hideValue(place.api, parcels)
  place.setClock(NOW)
  const { artifacts, people, linkTypes } = making
  const trackers = [
    await readBack(place.api, parcels, artifacts, PARCELS),
    await readBack(place.api, stamps, artifacts, STAMPS),
  ] as const
  return { trackers, artifacts, people, linkTypes, now: NOW }
}

function worldOf({ planned, artifacts, people, linkTypes }: Making): OracleWorld {
  const [first, ...others] = planned.keys()
  if (!first) throw new Error('There is no tracker.')
  return { trackers: [first, ...others], artifacts, people, linkTypes, now: NOW }
}

/** Every signed-in user may submit everything, though not everyone can read it afterwards. */
async function createSome(making: Making, tracker: OracleTracker, count: number): Promise<void> {
  const { random, artifacts } = making
  const writer = writerOf(making)
  const at = making.tick()
  const written = Array.from({ length: count }, (): ArtifactWrite => {
    const values = Object.fromEntries(
      fieldsOf(making, tracker).flatMap((field) => {
        const value = randomValue(random, field)
        return value ? [[field.name, value]] : []
      }),
    )
    const restricted_to = tracker.fields.some(({ kind }) => kind === 'perm') ? restriction(random, writer) : undefined
    return { values, ...(restricted_to && { restricted_to }) }
  })
  const ids = await write(
    making,
    tracker,
    writer,
    written.map((each) => toBulkLine(making, tracker, each)),
  )
  for (const [place, { values, restricted_to }] of written.entries()) {
    const by = writer.login ?? ''
    const version: OracleVersion = {
      at,
      by,
      values: present(values),
      links: [],
      ...(restricted_to && { restricted_to }),
    }
    artifacts.push({ id: ids[place] ?? 0, tracker, number: 0, rank: 0, versions: [version], isDeleted: false })
  }
}

async function updateSome(making: Making, tracker: OracleTracker, count: number): Promise<void> {
  const { random } = making
  const writer = writerOf(making)
  const world = worldOf(making)
  const visible = making.artifacts.filter((artifact) => sees(world, writer, artifact))
  const own = random.shuffled(visible.filter((artifact) => artifact.tracker === tracker)).slice(0, count)
  const at = making.tick()
  const written = own.map((artifact) => randomUpdate(making, world, writer, artifact, visible))
  await write(
    making,
    tracker,
    writer,
    written.map((each, place) => toBulkLine(making, tracker, each, own[place]?.id)),
  )
  for (const [place, artifact] of own.entries()) {
    const before = lastVersion(artifact)
    const { comment, values, links, restricted_to, isUnrestricted } = written[place] ?? { values: {} }
    const groups = isUnrestricted ? undefined : (restricted_to ?? before.restricted_to)
    const after = {
      values: present({ ...before.values, ...values }),
      links: links ? [...links, ...kept(world, writer, before.links)] : before.links,
      ...(groups && { restricted_to: groups }),
    }
    const { at: _, by: __, comment: ___, ...old } = before
    if (!comment && isDeepStrictEqual(unordered(after), unordered(old))) continue
    artifact.versions = [...artifact.versions, { ...after, at, by: writer.login ?? '', ...(comment && { comment }) }]
  }
}

function randomUpdate(
  making: Making,
  world: OracleWorld,
  writer: OracleViewer,
  artifact: OracleArtifact,
  visible: readonly OracleArtifact[],
): ArtifactWrite {
  const { random } = making
  const { tracker } = artifact
  const writable = fieldsOf(making, tracker).filter(({ name }) => {
    const field = tracker.fields.find((each) => each.name === name)
    return field && readsField(writer, field)
  })
  const changed = random.shuffled(writable).slice(0, random.integer(0, 4))
  // A hidden value may stay but cannot be selected, so it is hidden after the last update.
  const values = Object.fromEntries(changed.map((field) => [field.name, randomValue(random, field)]))
  const perm =
    tracker.fields.some(({ kind }) => kind === 'perm') && random.chance(0.1) ? restriction(random, writer) : undefined
  const isUnrestricted = perm === undefined && tracker.item_name === 'parcel' && random.chance(0.05)
  const comment = random.chance(0.4) ? randomComment(random, writer) : undefined
  return {
    values,
    ...(random.chance(0.5) && {
      links: randomLinks(random, artifact, visible, lastVersion(artifact).links, world, writer),
    }),
    ...(perm && { restricted_to: perm }),
    ...(isUnrestricted && { isUnrestricted }),
    ...(comment && { comment }),
  }
}

/** Children are always younger, so that there are no cycles. */
function randomLinks(
  random: RepeatableRandom,
  { id }: OracleArtifact,
  visible: readonly OracleArtifact[],
  before: readonly OracleLink[],
  world: OracleWorld,
  writer: OracleViewer,
): OracleLink[] {
  const others = visible.filter((other) => other.id !== id)
  const stay = before.filter(({ to }) => others.some((other) => other.id === to) && random.chance(0.6))
  const added = Array.from({ length: random.integer(0, 3) }, () => random.pickAny(others)).flatMap(
    (other): OracleLink[] => {
      if (!other) return []
      const types =
        other.id > id ? ['_is_child', '_is_child', '', ...world.linkTypes] : ['', ...world.linkTypes.slice(1)]
      return [{ to: other.id, type: random.pickAny(types) ?? '' }]
    },
  )
  const hidden = kept(world, writer, before)
  return [...new Map([...stay, ...added].map((link) => [link.to, link])).values()].filter(
    ({ to }) => !hidden.some((link) => link.to === to),
  )
}

/** Links that the writer cannot see are kept in every write. */
function kept(world: OracleWorld, writer: OracleViewer, links: readonly OracleLink[]): OracleLink[] {
  return links.filter(({ to }) => {
    const target = world.artifacts.find(({ id }) => id === to)
    return !target || !sees(world, writer, target)
  })
}

/** Writers do not restrict an artifact so that they lose access. */
function restriction(random: RepeatableRandom, writer: OracleViewer): readonly OracleGroup[] | undefined {
  if (random.chance(0.75)) return undefined
  const choices: readonly OracleGroup[][] = [['leads'], ['@members'], ['@admins'], ['leads', '@members']]
  return random.pickAny(choices.filter((groups) => writer.administers || isIn(writer, groups)))
}

function randomComment(random: RepeatableRandom, writer: OracleViewer): OracleComment {
  const text = randomWords(random, 1, 4)
  const groups = random.chance(0.3)
    ? random.pickAny(writer.groups.filter((group) => group === 'leads' || group === '@members'))
    : undefined
  return { text, ...(groups && { groups: [groups] }) }
}

function writerOf({ random, people }: Making): OracleViewer {
  const writer = random.pickAny(people)
  if (!writer) throw new Error('There is nobody.')
  return writer
}

/** The fields with directly written values. */
function fieldsOf({ planned }: Making, tracker: OracleTracker): readonly PlannedField[] {
  const written: readonly OracleField['kind'][] = [
    'text',
    'number',
    'day',
    'instant',
    'static',
    'users',
    'groups',
    'open',
  ]
  return (planned.get(tracker)?.fields ?? []).filter(({ kind }) => written.includes(kind))
}

async function write(
  { api }: Making,
  tracker: OracleTracker,
  { login }: OracleViewer,
  lines: readonly object[],
): Promise<number[]> {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const path = `/trackers/${tracker.id}/artifacts/bulk`
  const { text } = await requireSuccess(api.send('POST', path, { as: login, body, type: 'application/x-ndjson' }))
  const answers: readonly { status: number; id: number }[] = text
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  const failed = answers.findIndex(({ status }) => status > 299)
  if (failed >= 0) throw new Error(`As ${login}: ${JSON.stringify(lines[failed])}: ${JSON.stringify(answers[failed])}`)
  return answers.map(({ id }) => id)
}

function present(values: Readonly<Record<string, OracleValue | undefined>>): Record<string, OracleValue> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** Lists are sets. */
function unordered({ values, links, restricted_to }: Omit<OracleVersion, 'at' | 'by'>): unknown {
  const sorted = Object.entries(values).map(([name, value]) => [
    name,
    value.kind === 'chosen' ? value.labels.toSorted() : value,
  ])
  const ends = links.map(({ to, type }) => `${to} ${type}`)
  return {
    values: new Map(JSON.parse(JSON.stringify(sorted))),
    links: new Set(ends),
    groups: new Set(restricted_to ?? ['everybody']),
  }
}
