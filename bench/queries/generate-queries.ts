import {
  COMPONENTS,
  KINDS,
  LINK_TYPE,
  BENCH_PEOPLE_COUNT,
  SEVERITIES,
  STATUSES,
  BENCH_TAG_COUNT,
} from '../../server/src/commands/bench-data/bench-tracker.ts'
import { type Chance, chanceOf, weighted, zipf } from '../../server/src/commands/bench-data/chance.ts'
import { type Ids, tagLabel } from '../../server/src/commands/bench-data/generate-artifact.ts'
import { WORDS } from '../../server/src/commands/bench-data/text.ts'

/** Criteria, or a TQL query. */
export type GeneratedQuery = string | Readonly<Record<string, unknown>>

interface Generating {
  readonly ids: Ids
  readonly size: number
  /** The logins of the people. */
  readonly logins: readonly string[]
}

type Make = (chance: Chance, world: Generating) => string

const LISTS = {
  status: STATUSES,
  severity: SEVERITIES,
  component: [...COMPONENTS, 'needle'],
  kind: KINDS,
} as const
const LIST_NAMES = ['status', 'severity', 'component', 'kind'] as const
const YEARS = 5
const BEGINNING = Date.parse('2021-03-01T00:00:00Z')
const DAY = 86_400_000

const person = zipf(BENCH_PEOPLE_COUNT, 1)
const tag = zipf(BENCH_TAG_COUNT, 1.1)
const numberOfTerms = weighted([3, 4, 2, 1])

/**
 * Generates the same queries on every machine: criteria and TQL, one to four terms over all field types, with AND, OR
 * and NOT, with and without order, links and conditions on linked artifacts. It omits queries that may be refused for
 * their cost: regular expressions, texts of fewer than three letters, and queries about the past.
 */
export function generateQueries(count: number, world: Generating): GeneratedQuery[] {
  return Array.from({ length: count }, (_, at) => {
    const chance = chanceOf(-10_000 - at)
    return chance.integer(4) === 0 ? criteria(chance, world) : text(chance, world)
  })
}

function pick<T>(chance: Chance, from: readonly [T, ...T[]] | readonly T[]): T {
  const picked = from[chance.integer(from.length)]
  if (picked === undefined) throw new Error('There is nothing to pick.')
  return picked
}

const quoted = (word: string) => JSON.stringify(word)

function day(chance: Chance): string {
  return new Date(BEGINNING + chance.integer(YEARS * 365) * DAY).toISOString().slice(0, 10)
}

function laterDay(from: string, chance: Chance): string {
  return new Date(Date.parse(from) + pick(chance, [1, 7, 30, 90, 365]) * DAY).toISOString().slice(0, 10)
}

/** A rare number, a phrase of two words, or one frequent word. */
function words(chance: Chance, { size }: Generating): string {
  const word = () =>
    pick(
      chance,
      WORDS.filter((each) => each.length > 3),
    )
  return pick(chance, [() => `item ${1 + chance.integer(size)}`, () => `${word()} ${word()}`, word])()
}

const login: Make = (chance, { logins }) => quoted(logins[person(chance)] ?? '')

const TERMS: readonly Make[] = [
  function list(chance) {
    const name = pick(chance, LIST_NAMES)
    const value = () => quoted(pick<string>(chance, LISTS[name]))
    return pick(chance, [
      () => `${name} = ${value()}`,
      () => `${name} != ${value()}`,
      () => `${name} IN (${value()}, ${value()})`,
      () => `${name} NOT IN (${value()}, ${value()}, ${value()})`,
      () => `${name} ${pick(chance, ['=', '!='])} ""`,
    ])()
  },
  function people(chance, world) {
    return pick(chance, [
      () => `assigned_to = ${login(chance, world)}`,
      () => `assigned_to = MYSELF()`,
      () => `reviewer = ${login(chance, world)}`,
      () => `reviewer IN (${login(chance, world)}, ${login(chance, world)})`,
      () => `@submitted_by = ${login(chance, world)}`,
      () => `@last_update_by != ${login(chance, world)}`,
      () => `@assigned_to = ""`,
    ])()
  },
  function tags(chance) {
    const label = () => quoted(tagLabel(tag(chance)))
    return pick(chance, [
      () => `tags = ${label()}`,
      () => `tags IN (${label()}, ${label()})`,
      () => `tags != ${label()}`,
    ])()
  },
  function numbers(chance, { size }) {
    const serial = 1 + chance.integer(size)
    return pick(chance, [
      `points ${pick(chance, ['=', '!=', '<', '<=', '>', '>='])} ${chance.integer(14)}`,
      `points = ""`,
      `hours ${pick(chance, ['<', '>='])} ${(chance.unit() * 20).toFixed(2)}`,
      `hours BETWEEN(${chance.integer(4)}, ${4 + chance.integer(20)})`,
      `serial = ${serial}`,
      `serial BETWEEN(${serial}, ${serial + pick(chance, [10, 1000, 100_000])})`,
      `@id >= ${serial}`,
    ])
  },
  function dates(chance) {
    const name = pick(chance, ['due', 'start', 'checked', '@submitted_on', '@last_update_date'])
    const from = day(chance)
    return pick(chance, [
      `${name} = "${from}"`,
      `${name} BETWEEN("${from}", "${laterDay(from, chance)}")`,
      `${name} ${pick(chance, ['<', '<=', '>', '>='])} "${from}"`,
      `${name} > NOW() - ${1 + chance.integer(300)}w`,
    ])
  },
  function texts(chance, world) {
    const name = pick(chance, ['title', 'title', 'details', '@comments'])
    return `${name} ${chance.integer(5) === 0 ? '!=' : '='} ${quoted(words(chance, world))}`
  },
  function links(chance, { size }) {
    const id = 1 + chance.integer(size)
    return pick(chance, [
      `IS LINKED TO ARTIFACT = ${id}`,
      `IS LINKED FROM ARTIFACT = ${id}`,
      `IS LINKED TO WITH TYPE "${LINK_TYPE}"`,
      'WITH PARENT',
      'WITHOUT CHILDREN',
      `WITH CHILDREN WHERE (status = "${pick(chance, STATUSES)}")`,
      `WITH PARENT WHERE (component = "${pick(chance, LISTS.component)}" AND points > 3)`,
    ])
  },
  function meanings(chance) {
    return pick(chance, ['@status = OPEN()', '@status != OPEN()'])
  },
]

const ORDERS = [
  'points DESC',
  'hours',
  'due DESC',
  'title',
  'status, @id DESC',
  '@last_update_date DESC',
  '@submitted_on',
  'severity DESC, points, title',
] as const

function text(chance: Chance, world: Generating): string {
  const count = 1 + numberOfTerms(chance)
  let said = ''
  for (let at = 0; at < count; at++) {
    const term = pick(chance, TERMS)(chance, world)
    const one = chance.integer(8) === 0 ? `NOT (${term})` : term
    if (at === 0) said = one
    else if (chance.integer(4) === 0)
      said = at > 1 && chance.integer(2) === 0 ? `(${said}) OR ${one}` : `${said} OR ${one}`
    else said = `${said.includes(' OR ') ? `(${said})` : said} AND ${one}`
  }
  return chance.integer(3) === 0 ? `${said} ORDER BY ${pick(chance, ORDERS)}` : said
}

type Criterion = (chance: Chance, world: Generating) => readonly [string, unknown]

const CRITERIA: readonly Criterion[] = [
  function list(chance, { ids }) {
    const name = pick(chance, LIST_NAMES)
    const values = ids.values[name] ?? []
    return [name, Array.from({ length: 1 + chance.integer(2) }, () => pick(chance, values))]
  },
  (chance, { ids }) => [pick(chance, ['assigned_to', 'reviewer']), ids.firstPerson + person(chance)],
  (chance) => ['tags', [`o${1 + tag(chance)}`]],
  (chance) => ['points', pick(chance, ['>=3', '<2', '5', '1-5'])],
  (chance) => ['hours', `${chance.integer(5)}-${5 + chance.integer(20)}`],
  (chance, { size }) => ['artifact_id', `>=${1 + chance.integer(size)}`],
  function dates(chance) {
    const from = day(chance)
    return [
      pick(chance, ['due', 'start', 'checked']),
      pick(chance, [
        { operator: 'between', value: [from, laterDay(from, chance)] },
        { operator: pick(chance, ['=', '<', '>']), value: from },
      ]),
    ]
  },
  (chance, world) => [pick(chance, ['title', 'details']), words(chance, world)],
]

function criteria(chance: Chance, world: Generating): Record<string, unknown> {
  const count = 1 + numberOfTerms(chance)
  return Object.fromEntries(Array.from({ length: count }, () => pick(chance, CRITERIA)(chance, world)))
}
