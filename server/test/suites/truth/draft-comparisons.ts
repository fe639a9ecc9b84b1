import { draftDay } from './draft-criteria.ts'
import { type Drafting, someField, someId, someText, someValue } from './drafts.ts'
import type { OracleField } from './model.ts'
import type { OracleComparator, OracleComparison, OracleLiteral } from './query.ts'
import { labelsOfValue, numberOfValue } from './subjects.ts'
import { randomWords } from './values.ts'
import { minuteOf } from './zones.ts'

const EQUALITY = ['=', '=', '!='] as const
const ALL = ['=', '!=', '<', '<=', '>', '>=', 'BETWEEN', 'BETWEEN'] as const
const CHOICE = ['=', '=', '!=', 'IN', 'NOT IN'] as const

/** `isNested`: of artifacts at the other end of a link, in any tracker. */
export function draftComparison(drafting: Drafting, isNested: boolean): OracleComparison {
  const { random } = drafting
  if (random.chance(isNested ? 0.35 : 0.25)) return draftMetadata(drafting)
  const field = someField(drafting, ({ kind }) => !isNested || !NAMELESS.includes(kind))
  const drafted = draftOf(drafting, field)
  if (!random.chance(0.01)) return { kind: 'compare', subject: field.name, ...drafted }
  // Any operator with a valid number of values: most types refuse most of them.
  const comparator = random.pick<OracleComparator>([...ALL, 'IN', 'NOT IN'])
  const [first = EMPTY, second = first] = drafted.literals
  const literals = comparator === 'BETWEEN' ? [first, second] : [first]
  return { kind: 'compare', subject: field.name, comparator, literals }
}

/** In nested conditions these are queried by metadata; some cannot be queried at all. */
const NAMELESS: readonly OracleField['kind'][] = [
  'subon',
  'lud',
  'subby',
  'luby',
  'aid',
  'atid',
  'priority',
  'links',
  'perm',
  'computed',
  'cross',
]

type Drafted = Pick<OracleComparison, 'comparator' | 'literals'>

function draftOf(drafting: Drafting, field: OracleField): Drafted {
  switch (field.kind) {
    case 'text':
      return draftText(drafting, field)
    case 'number':
    case 'aid':
    case 'atid':
      return draftNumber(drafting, field)
    case 'day':
    case 'instant':
    case 'subon':
    case 'lud':
      return draftDate(drafting, field)
    case 'static':
    case 'users':
    case 'groups':
    case 'open':
      return draftChosen(drafting, field)
    case 'subby':
    case 'luby':
      return draftPerson(drafting, false)
    case 'links':
      return { comparator: '=', literals: [{ kind: 'number', text: String(someId(drafting)) }] }
    case 'perm':
    case 'computed':
    case 'cross':
    case 'priority':
      break
  }
  return { comparator: '=', literals: [{ kind: 'number', text: '1' }] }
}

function draftMetadata(drafting: Drafting): OracleComparison {
  const { random, tracker } = drafting
  const named = (name: string | undefined) => tracker.fields.find((field) => field.name === name) ?? NO_FIELD
  const subject = random.pick([
    '@title',
    '@status',
    '@status',
    '@assigned_to',
    '@submitted_by',
    '@submitted_on',
    '@last_update_by',
    '@last_update_date',
    '@id',
    '@comments',
    '@comments',
    ...(tracker.description === undefined ? [] : ['@description']),
  ])
  const compare = (drafted: Drafted): OracleComparison => ({ kind: 'compare', subject, ...drafted })
  if (random.chance(0.01)) return { ...compare(draftText(drafting, NO_FIELD)), subject: '@no_such_thing' }
  if (subject === '@title') return compare(draftText(drafting, named(tracker.title)))
  if (subject === '@description') return compare(draftText(drafting, named(tracker.description)))
  if (subject === '@status') return compare({ comparator: random.pick(['=', '!=']), literals: [{ kind: 'open' }] })
  if (subject === '@assigned_to') return compare(draftPerson(drafting, true))
  if (subject === '@submitted_by' || subject === '@last_update_by') return compare(draftPerson(drafting, false))
  if (subject === '@id') return compare(draftNumber(drafting, { ...NO_FIELD, kind: 'aid' }))
  if (subject === '@comments') return compare(draftComment(drafting))
  return compare(draftDate(drafting, { ...NO_FIELD, kind: 'subon' }))
}

const NO_FIELD: OracleField = { name: '', type: '', kind: 'text', readers: [], isMultiple: false, options: [], id: 0 }

function draftText(drafting: Drafting, field: OracleField): Drafted {
  const { random } = drafting
  const text = random.chance(0.1) ? '' : someText(drafting, someValue(drafting, field))
  const literal: OracleLiteral = random.chance(0.03) ? { kind: 'number', text: '100' } : { kind: 'string', text }
  return { comparator: random.pick(EQUALITY), literals: [literal] }
}

function draftComment(drafting: Drafting): Drafted {
  const { random, world } = drafting
  const comments = random.pickAny(world.artifacts)?.versions.flatMap(({ comment }) => comment ?? []) ?? []
  const text = random.pickAny(comments)?.text ?? randomWords(random, 1, 1)
  const part = random.chance(0.12) ? '' : someText(drafting, { kind: 'text', text })
  return { comparator: random.pick(EQUALITY), literals: [{ kind: 'string', text: part }] }
}

function draftNumber(drafting: Drafting, field: OracleField): Drafted {
  const { random, world } = drafting
  const some = () => {
    if (field.kind === 'number') return numberOfValue(someValue(drafting, field)) ?? random.integer(-5, 40)
    const artifact = random.pickAny(world.artifacts)
    return (field.kind === 'atid' ? artifact?.number : artifact?.id) ?? 1
  }
  const write = (number: number): OracleLiteral => ({
    kind: random.chance(0.3) ? 'string' : 'number',
    text: String(number),
  })
  const comparator = random.pick<OracleComparator>(ALL)
  if (comparator === 'BETWEEN') return { comparator, literals: [some(), some()].toSorted((a, b) => a - b).map(write) }
  if (field.kind === 'number' && random.chance(0.08)) return { comparator: random.pick(EQUALITY), literals: [EMPTY] }
  return { comparator, literals: [random.chance(0.01) ? { kind: 'string', text: 'many' } : write(some())] }
}

const EMPTY: OracleLiteral = { kind: 'string', text: '' }

function draftDate(drafting: Drafting, field: OracleField): Drafted {
  const { random } = drafting
  const comparator = random.pick<OracleComparator>(ALL)
  if (random.chance(0.06) && (field.kind === 'day' || field.kind === 'instant'))
    return { comparator: random.pick(EQUALITY), literals: [EMPTY] }
  const some = (): OracleLiteral => {
    if (random.chance(0.15)) return draftNow(drafting)
    if (random.chance(0.01)) return { kind: 'string', text: random.pick(['soon', '2026-02-30', '01.03.2026']) }
    const isMinute = field.kind !== 'day' && random.chance(0.5)
    return { kind: 'string', text: isMinute ? draftMinute(drafting, field) : draftDay(drafting, field) }
  }
  if (comparator !== 'BETWEEN') return { comparator, literals: [some()] }
  const [one, other] = [some(), some()]
  const isTurned = one.kind === 'string' && other.kind === 'string' && one.text > other.text
  return { comparator, literals: isTurned ? [other, one] : [one, other] }
}

function draftNow({ random }: Drafting): OracleLiteral {
  if (random.chance(0.3)) return { kind: 'now' }
  return { kind: 'now', count: random.integer(-60, 20), unit: random.pick(['d', 'd', 'w', 'm', 'y']) }
}

function draftMinute(drafting: Drafting, field: OracleField): string {
  const { random, world, viewer } = drafting
  const value = someValue(drafting, field)
  const version = random.pickAny(random.pickAny(world.artifacts)?.versions ?? [])
  return minuteOf(viewer.zone, value?.kind === 'instant' ? value.at : (version?.at ?? world.now))
}

function draftChosen(drafting: Drafting, field: OracleField): Drafted {
  const { random, viewer } = drafting
  const label = (): OracleLiteral => {
    if (field.kind === 'users' && random.chance(0.2) && viewer.login !== undefined) return { kind: 'myself' }
    if (random.chance(0.01)) return { kind: 'myself' }
    if (random.chance(0.02)) return { kind: 'string', text: 'no such value' }
    const found =
      random.pickAny(labelsOfValue(someValue(drafting, field))) ?? random.pickAny(field.options)?.label ?? 'Open'
    const isOther = field.kind === 'static' && random.chance(0.2)
    return { kind: 'string', text: isOther ? found.toLowerCase() : found }
  }
  return choice(drafting, label, true)
}

function draftPerson(drafting: Drafting, takesEmpty: boolean): Drafted {
  const { random, world, viewer } = drafting
  const person = (): OracleLiteral => {
    if (random.chance(viewer.login === undefined ? 0.02 : 0.25)) return { kind: 'myself' }
    if (random.chance(0.02)) return { kind: 'string', text: 'nobody_at_all' }
    return { kind: 'string', text: random.pickAny(world.people)?.login ?? 'mara' }
  }
  return choice(drafting, person, takesEmpty)
}

function choice({ random }: Drafting, literal: () => OracleLiteral, takesEmpty: boolean): Drafted {
  const comparator = random.pick(CHOICE)
  const isMany = comparator === 'IN' || comparator === 'NOT IN'
  if (!isMany) return { comparator, literals: [takesEmpty && random.chance(0.1) ? EMPTY : literal()] }
  const literals = Array.from({ length: random.integer(1, 3) }, literal)
  return { comparator, literals: random.chance(0.01) ? [...literals, EMPTY] : literals }
}
