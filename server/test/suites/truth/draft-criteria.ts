import { type Drafting, someField, someText, someValue } from './drafts.ts'
import type { OracleField } from './model.ts'
import type { OracleCriterion, CriterionValue, Operator, OracleQuery, Scalar } from './query.ts'
import { numberOfValue, labelsOfValue } from './subjects.ts'
import { dayOf } from './zones.ts'

export function draftCriteria(drafting: Drafting): OracleQuery {
  const { random } = drafting
  const drafted = Array.from({ length: random.integer(1, random.chance(0.5) ? 1 : 3) }, () => draftCriterion(drafting))
  // Object keys are unique, and numeric ones come first.
  const criteria = [...new Map(drafted.map((each) => [each.key, each])).values()].toSorted(
    (one, other) => rank(one.key) - rank(other.key),
  )
  const order = random.pickAny([undefined, undefined, 'asc', 'desc'] as const)
  return { kind: 'criteria', criteria, place: random.pick(['query', 'query', 'body', 'both']), ...(order && { order }) }
}

const rank = (key: string) => (/^\d+$/.test(key) ? Number(key) : Number.MAX_SAFE_INTEGER)

function draftCriterion(drafting: Drafting): OracleCriterion {
  const { random } = drafting
  const field = someField(drafting)
  const key = random.chance(0.15) ? String(field.id) : field.name
  const [operator, value] = draftMember(drafting, field)
  // Only the basic form accepts an object.
  const isObject = typeof value === 'object' && !Array.isArray(value)
  const isBasic = operator === 'contains' && (isObject || random.chance(0.6))
  return { field: field.name, key, value, ...(!isBasic && { operator }) }
}

function draftMember(drafting: Drafting, field: OracleField): [Operator, CriterionValue] {
  const { random } = drafting
  const wrong = random.chance(0.02) ? random.pick<Operator>(['<', '>', 'between', '=']) : undefined
  switch (field.kind) {
    case 'text':
      return [wrong ?? 'contains', draftText(drafting, field)]
    case 'number':
    case 'aid':
    case 'atid':
    case 'priority':
      return [wrong ?? 'contains', draftNumber(drafting, field)]
    case 'day':
    case 'instant':
    case 'subon':
    case 'lud':
      return draftDate(drafting, field)
    case 'static':
    case 'groups':
    case 'open':
    case 'users':
    case 'subby':
    case 'luby':
      return wrong ? [wrong, draftChoice(drafting, field)] : ['contains', draftChosen(drafting, field)]
    case 'links':
    case 'perm':
    case 'computed':
    case 'cross':
      break
  }
  return ['contains', random.pick<CriterionValue>([5, 'x', [1, 2]])]
}

const PATTERNS = [
  '^e',
  'p$',
  'st.p',
  'engine|pump',
  '[a-c]x?b',
  'lea+k',
  '.ngi.e s',
  '^.{3}$',
  '(x|y)k?',
  '%',
  'a_b',
  '\\\\',
  '本',
  '[0-9]{3}',
] as const

function draftText(drafting: Drafting, field: OracleField): CriterionValue {
  const { random } = drafting
  if (random.chance(0.15)) return `${random.chance(0.3) ? '!' : ''}/${random.pick(PATTERNS)}/`
  if (random.chance(0.04)) return random.pick<CriterionValue>([100, ' ', '  x'])
  const first = someText(drafting, someValue(drafting, field))
  const text = random.chance(0.3) ? `${first} ${someText(drafting, someValue(drafting, field))}` : first
  return /^!?\/.*\/$/.test(text) ? 'x' : text
}

function draftNumber(drafting: Drafting, field: OracleField): CriterionValue {
  const { random, world } = drafting
  const some = (): number => {
    if (field.kind === 'number') return numberOfValue(someValue(drafting, field)) ?? random.integer(-5, 40)
    const artifact = random.pickAny(world.artifacts)
    return (field.kind === 'aid' ? artifact?.id : field.kind === 'atid' ? artifact?.number : artifact?.rank) ?? 1
  }
  const [one, other] = [some(), some()].toSorted((a, b) => a - b)
  const [low = 1, high = 1] = [one, other]
  return random.pick<() => CriterionValue>([
    () => low,
    () => String(low),
    () => `${random.pick(['<', '<=', '>', '>='])}${random.pick(['', ' '])}${low}`,
    () => (low >= 0 ? `${low}-${high}` : `> ${low}`),
    () => `/${random.pick(['^1', '5$', '[12]', '.5', '^.$'])}/`,
    () => random.pick(['many', '5 apples', '1-', '=']),
  ])()
}

function draftDate(drafting: Drafting, field: OracleField): [Operator, CriterionValue] {
  const { random } = drafting
  const day = () =>
    random.chance(0.03) ? random.pick(['soon', '2026-02-30', '2026-13-01']) : draftDay(drafting, field)
  const operator = random.pick<Operator>(['=', 'contains', '>', '<', 'between', 'between'])
  if (operator !== 'between') return [operator, random.chance(0.2) ? [day()] : day()]
  if (random.chance(0.04)) return [operator, [day()]]
  return [operator, [day(), day()].toSorted()]
}

export function draftDay(drafting: Drafting, field: OracleField): string {
  const { random, world, viewer } = drafting
  const value = someValue(drafting, field)
  if (value?.kind === 'day') return value.day
  const version = random.pickAny(random.pickAny(world.artifacts)?.versions ?? [])
  return dayOf(viewer.zone, value?.kind === 'instant' ? value.at : (version?.at ?? world.now))
}

function draftChosen(drafting: Drafting, field: OracleField): CriterionValue {
  const { random } = drafting
  const ids = Array.from({ length: random.chance(0.6) ? 1 : random.integer(1, 3) }, () => draftChoice(drafting, field))
  if (ids.length > 1) return ids
  const [id = 100] = ids
  return random.pick<CriterionValue>([id, [id], String(id), { id }])
}

function draftChoice(drafting: Drafting, { kind, options, ...field }: OracleField): Scalar {
  const { random, world } = drafting
  if (random.chance(0.05)) return random.pick<Scalar>([100, '100'])
  if (random.chance(0.03)) return 9_999_999
  if (kind === 'users' || kind === 'subby' || kind === 'luby') return random.pickAny(world.people)?.id ?? 100
  const stored = random.pickAny(labelsOfValue(someValue(drafting, { kind, options, ...field })))
  const option = options.find(({ label }) => label === stored) ?? random.pickAny(options)
  if (!option) return 9_999_999
  if (kind === 'static' && random.chance(0.15)) return option.label
  if (kind === 'static' && random.chance(0.02)) return 'no such label'
  return kind === 'open' && typeof option.id === 'number' && random.chance(0.4) ? `b${option.id}` : option.id
}
