import { createHash } from 'node:crypto'
import type { LoadedArtifact, LoadedVersion, LoadTarget } from '../../artifacts/loading/artifact-rows.ts'
import { chanceOf, several, weighted, zipf } from './chance.ts'
import { hasNeedle, isFilled, isRestricted, linksFrom, referencesFrom } from './layout.ts'
import { generateComment, generateDetails, generateTitle } from './text.ts'
import {
  COMPONENTS,
  KINDS,
  BENCH_PEOPLE_COUNT,
  POINTS,
  SEVERITIES,
  STATUS_SHARES,
  STATUSES,
  BENCH_TAG_COUNT,
} from './bench-tracker.ts'

/** The ids that the installation assigned to the generated definition. */
export interface Ids {
  readonly project: number
  readonly tracker: number
  /** By field name. */
  readonly fields: Readonly<Record<string, number>>
  /** Ids of list values in order, by field name. */
  readonly values: Readonly<Record<string, readonly number[]>>
  readonly firstPerson: number
  readonly blue: number
}

/** The installation that generated artifacts belong to. */
export interface Installed extends LoadTarget {
  readonly ids: Ids
}

const YEAR_MS = 365.25 * 86_400_000
const YEARS = 5
const GROWTH = 1.3
const BEGINNING = Date.parse('2021-03-01T00:00:00Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MAX_VERSIONS = 30

const status = weighted(STATUS_SHARES)
const severity = zipf(SEVERITIES.length, 1)
const component = zipf(COMPONENTS.length, 1.1)
const kind = zipf(KINDS.length, 1)
const person = zipf(BENCH_PEOPLE_COUNT, 1)
const tag = zipf(BENCH_TAG_COUNT, 1.1)
const points = weighted([6, 10, 9, 8, 6, 4, 2, 1])
const numberOfTags = weighted([2, 3, 4, 3, 2, 1])

/** A label of the open list; its id is its index from 1. */
export function tagLabel(place: number): string {
  return `tag-${place + 1}`
}

/** A unique number per artifact in scrambled order: the step is coprime to every size. */
function serialOf(place: number, size: number): number {
  return 1 + Number((BigInt(place) * 7_654_321n) % BigInt(size))
}

/** Five years with a growth factor of 1.3 per year. */
function createdOn(place: number, size: number): number {
  const years = Math.log(1 + (place / size) * (GROWTH ** YEARS - 1)) / Math.log(GROWTH)
  return BEGINNING + Math.floor((years * YEAR_MS) / 1000) * 1000
}

/** The number of versions of the artifact at this index, without generating it. */
export function versionsAt(place: number): number {
  return 1 + trailing(chanceOf(place))
}

/** The artifact at this index; deterministic. */
export function generateArtifact(place: number, size: number, ids: Ids): LoadedArtifact {
  const chance = chanceOf(place)
  const has = (name: Parameters<typeof isFilled>[1]) => isFilled(place, name)
  const choice = (field: string, at: number) => ids.values[field]?.[at] ?? 0
  const people = (count: number) => several(person, count, chance).map((at) => ids.firstPerson + at)
  const day = (time: number) => new Date(time).toISOString().slice(0, 10)
  const created = createdOn(place, size)
  const versions = 1 + trailing(chance)
  const references = referencesFrom(place).map((target) => `art #${target + 1}`)
  // The third reference is in a comment, if there is one.
  const inComment = references.length === 3 && versions > 1 ? references.slice(2) : []
  const inDetails = references.slice(0, references.length - inComment.length)

  const named: Record<string, unknown> = { title: generateTitle(place, chance) }
  if (has('details')) named['details'] = { format: 'commonmark', content: generateDetails(inDetails, chance) }
  named['status'] = [choice('status', status(chance))]
  if (has('severity')) named['severity'] = [choice('severity', severity(chance))]
  const components = has('component') ? several(component, 1 + chance.integer(3), chance) : []
  if (hasNeedle(place, size)) components.push(COMPONENTS.length)
  if (components.length > 0) named['component'] = components.map((at) => choice('component', at))
  if (has('kind')) named['kind'] = several(kind, 1 + chance.integer(2), chance).map((at) => choice('kind', at))
  if (has('assigned_to')) named['assigned_to'] = people(1 + chance.integer(2))
  if (has('reviewer')) named['reviewer'] = people(1)
  if (has('tags'))
    named['tags'] = several(tag, 1 + numberOfTags(chance), chance).map((at) => ({ id: at + 1, label: tagLabel(at) }))
  if (has('points')) named['points'] = POINTS[points(chance)]
  if (has('hours')) named['hours'] = Math.round(-600 * Math.log(1 - chance.unit())) / 100
  named['serial'] = serialOf(place, size)
  if (has('due')) named['due'] = day(created + (1 + chance.integer(120)) * DAY_MS)
  if (has('start')) named['start'] = day(created + chance.integer(31) * DAY_MS)
  if (has('checked')) named['checked'] = new Date(created + chance.integer(1000) * HOUR_MS).toISOString()
  named['links'] = Object.fromEntries(linksFrom(place, size).map(({ target, type }) => [target + 1, type]))
  if (isRestricted(place)) named['access'] = [ids.blue]

  const values = byId(named, ids)
  return { values, versions: history() }

  /** Later versions change the status, and half of them the points; generated backwards from the last one. */
  function history(): LoadedVersion[] {
    const made: LoadedVersion[] = []
    let { status: at, points: worth } = { status: named['status'], points: named['points'] }
    const times = [created]
    for (let version = 1; version < versions; version++)
      times.push((times.at(-1) ?? 0) + (1 + chance.integer(400)) * HOUR_MS)
    for (let version = versions; version > 1; version--) {
      const before = otherThan(STATUSES.length, ids.values['status'] ?? [], at)
      const changes: Record<string, unknown> = { status: at }
      at = [before]
      if (worth !== undefined && chance.integer(2) === 0) {
        changes['points'] = worth
        worth = POINTS[(POINTS.findIndex((each) => each === worth) + 1 + chance.integer(7)) % POINTS.length]
      }
      const hasComment = chance.integer(10) < 3 || (version === versions && inComment.length > 0)
      const comment = hasComment ? generateComment(version === versions ? inComment : [], chance) : null
      made.push({ by: people(1)[0] ?? 0, on: new Date(times[version - 1] ?? 0), changes: byId(changes, ids), comment })
    }
    const first = { ...named, status: at, ...(worth !== undefined && { points: worth }) }
    made.push({ by: people(1)[0] ?? 0, on: new Date(created), changes: byId(first, ids), comment: null })
    return made.toReversed()
  }

  function otherThan(count: number, choices: readonly number[], current: unknown): number {
    const at = Array.isArray(current) ? choices.indexOf(Number(current[0])) : 0
    return choices[(at + 1 + chance.integer(count - 1)) % count] ?? 0
  }
}

/** A checksum of the data: equal checksums mean equal bytes. */
export function fingerprintOf(size: number, ids: Ids): string {
  const digest = createHash('sha256')
  for (let at = 0; at < SAMPLE; at++)
    digest.update(JSON.stringify(generateArtifact(Math.floor((at * size) / SAMPLE), size, ids)))
  return digest.digest('hex').slice(0, 16)
}

const SAMPLE = 1000

/** The number of consecutive successes; 1 on average. */
function trailing(chance: { integer(end: number): number }): number {
  let times = 0
  while (times < MAX_VERSIONS - 1 && chance.integer(2) === 0) times++
  return times
}

function byId(named: Readonly<Record<string, unknown>>, { fields }: Ids): Record<string, unknown> {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [String(fields[name]), value]))
}
