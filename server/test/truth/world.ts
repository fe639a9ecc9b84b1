import { isDeepStrictEqual } from 'node:util'
import { createRandom, type Random } from '../fuzz/random.ts'
import { type Api, succeed } from './api.ts'
import { PARCELS, type PlannedField, type PlannedTracker, STAMPS } from './definitions.ts'
import { hideValue, makeTracker, readBack } from './make-tracker.ts'
import {
  type Artifact,
  type Comment,
  type Field,
  type Group,
  lastOf,
  type Link,
  type Tracker,
  type Value,
  type Version,
  type Viewer,
  type World,
} from './model.ts'
import { isIn, readsField, sees } from './sight.ts'
import { randomValue, words } from './values.ts'
import { lineOf, type Written } from './write-artifact.ts'

/** What whoever runs this has prepared: a server, a project with people in it, link types, and a clock that it turns. */
export interface Place {
  readonly api: Api
  readonly project: number
  /** The id of the group `leads`. */
  readonly leads: number
  readonly people: readonly Viewer[]
  readonly linkTypes: readonly string[]
  setClock(at: number): void
}

export interface Plan {
  readonly seed: string
  readonly artifacts: number
}

const BEGIN = Date.parse('2026-01-02T08:00:00Z')
const END = Date.parse('2026-06-14T20:00:00Z')
// On a day that every month has, so that a month before or after it is no question.
const NOW = Date.parse('2026-06-15T10:20:30Z')

type Mutable = { -readonly [Member in keyof Artifact]: Artifact[Member] }

interface Making extends Place {
  readonly random: Random
  readonly artifacts: Mutable[]
  readonly planned: ReadonlyMap<Tracker, PlannedTracker>
  /** Lets some time pass; answers what time it is. */
  tick(): number
}

/** Makes the whole world over HTTP, and remembers every value that it wrote. */
export async function makeWorld(place: Place, { seed, artifacts: count }: Plan): Promise<World> {
  const random = createRandom(`world ${seed}`)
  place.setClock(BEGIN)
  for (const { login, zone } of place.people)
    if (zone !== 'UTC')
      await succeed(place.api.send('PATCH', '/users/self', { as: login, body: JSON.stringify({ time_zone: zone }) }))
  const parcels = await makeTracker(place, PARCELS)
  const stamps = await makeTracker(place, STAMPS)
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
    await succeed(place.api.send('DELETE', `/artifacts/${artifact.id}`, { as: 'mara' }))
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

function worldOf({ planned, artifacts, people, linkTypes }: Making): World {
  const [first, ...others] = planned.keys()
  if (!first) throw new Error('There is no tracker.')
  return { trackers: [first, ...others], artifacts, people, linkTypes, now: NOW }
}

/** Everybody who is signed in may submit everything, though not everybody can read it afterwards. */
async function createSome(making: Making, tracker: Tracker, count: number): Promise<void> {
  const { random, artifacts } = making
  const writer = writerOf(making)
  const at = making.tick()
  const written = Array.from({ length: count }, (): Written => {
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
    written.map((each) => lineOf(making, tracker, each)),
  )
  for (const [place, { values, restricted_to }] of written.entries()) {
    const by = writer.login ?? ''
    const version: Version = { at, by, values: present(values), links: [], ...(restricted_to && { restricted_to }) }
    artifacts.push({ id: ids[place] ?? 0, tracker, number: 0, rank: 0, versions: [version], isDeleted: false })
  }
}

async function updateSome(making: Making, tracker: Tracker, count: number): Promise<void> {
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
    written.map((each, place) => lineOf(making, tracker, each, own[place]?.id)),
  )
  for (const [place, artifact] of own.entries()) {
    const before = lastOf(artifact)
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
  world: World,
  writer: Viewer,
  artifact: Artifact,
  visible: readonly Artifact[],
): Written {
  const { random } = making
  const { tracker } = artifact
  const writable = fieldsOf(making, tracker).filter(({ name }) => {
    const field = tracker.fields.find((each) => each.name === name)
    return field && readsField(writer, field)
  })
  const changed = random.shuffled(writable).slice(0, random.integer(0, 4))
  // A value that has been hidden meanwhile may stay, but nobody can choose it: it is hidden after the last update.
  const values = Object.fromEntries(changed.map((field) => [field.name, randomValue(random, field)]))
  const perm =
    tracker.fields.some(({ kind }) => kind === 'perm') && random.chance(0.1) ? restriction(random, writer) : undefined
  const isUnrestricted = perm === undefined && tracker.item_name === 'parcel' && random.chance(0.05)
  const comment = random.chance(0.4) ? randomComment(random, writer) : undefined
  return {
    values,
    ...(random.chance(0.5) && { links: randomLinks(random, artifact, visible, lastOf(artifact).links, world, writer) }),
    ...(perm && { restricted_to: perm }),
    ...(isUnrestricted && { isUnrestricted }),
    ...(comment && { comment }),
  }
}

/** Children are always younger, so that no cycle is closed. */
function randomLinks(
  random: Random,
  { id }: Artifact,
  visible: readonly Artifact[],
  before: readonly Link[],
  world: World,
  writer: Viewer,
): Link[] {
  const others = visible.filter((other) => other.id !== id)
  const stay = before.filter(({ to }) => others.some((other) => other.id === to) && random.chance(0.6))
  const added = Array.from({ length: random.integer(0, 3) }, () => random.pickAny(others)).flatMap((other): Link[] => {
    if (!other) return []
    const types = other.id > id ? ['_is_child', '_is_child', '', ...world.linkTypes] : ['', ...world.linkTypes.slice(1)]
    return [{ to: other.id, type: random.pickAny(types) ?? '' }]
  })
  const hidden = kept(world, writer, before)
  return [...new Map([...stay, ...added].map((link) => [link.to, link])).values()].filter(
    ({ to }) => !hidden.some((link) => link.to === to),
  )
}

/** What a writer cannot see stays, whatever he writes. */
function kept(world: World, writer: Viewer, links: readonly Link[]): Link[] {
  return links.filter(({ to }) => {
    const target = world.artifacts.find(({ id }) => id === to)
    return !target || !sees(world, writer, target)
  })
}

/** Nobody locks himself out. */
function restriction(random: Random, writer: Viewer): readonly Group[] | undefined {
  if (random.chance(0.75)) return undefined
  const choices: readonly Group[][] = [['leads'], ['@members'], ['@admins'], ['leads', '@members']]
  return random.pickAny(choices.filter((groups) => writer.administers || isIn(writer, groups)))
}

function randomComment(random: Random, writer: Viewer): Comment {
  const text = words(random, 1, 4)
  const groups = random.chance(0.3)
    ? random.pickAny(writer.groups.filter((group) => group === 'leads' || group === '@members'))
    : undefined
  return { text, ...(groups && { groups: [groups] }) }
}

function writerOf({ random, people }: Making): Viewer {
  const writer = random.pickAny(people)
  if (!writer) throw new Error('There is nobody.')
  return writer
}

/** The fields whose values are written as such. */
function fieldsOf({ planned }: Making, tracker: Tracker): readonly PlannedField[] {
  const written: readonly Field['kind'][] = ['text', 'number', 'day', 'instant', 'static', 'users', 'groups', 'open']
  return (planned.get(tracker)?.fields ?? []).filter(({ kind }) => written.includes(kind))
}

async function write(
  { api }: Making,
  tracker: Tracker,
  { login }: Viewer,
  lines: readonly object[],
): Promise<number[]> {
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  const path = `/trackers/${tracker.id}/artifacts/bulk`
  const { text } = await succeed(api.send('POST', path, { as: login, body, type: 'application/x-ndjson' }))
  const answers: readonly { status: number; id: number }[] = text
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
  const failed = answers.findIndex(({ status }) => status > 299)
  if (failed >= 0) throw new Error(`As ${login}: ${JSON.stringify(lines[failed])}: ${JSON.stringify(answers[failed])}`)
  return answers.map(({ id }) => id)
}

function present(values: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** Lists are sets. */
function unordered({ values, links, restricted_to }: Omit<Version, 'at' | 'by'>): unknown {
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
