import { instantIn } from './compare.ts'
import type { OracleField, OracleValue } from './model.ts'
import type { OracleCriterion, Operator, Scalar } from './query.ts'
import { readableField, refuseQuery, type Scope, type ArtifactSnapshot, type Test } from './scope.ts'
import { labelsOfValue, dateOf, factOf, numberOfValue, personByKind, textOfValue } from './subjects.ts'
import { containsIgnoringCase, matchesPattern } from './texts.ts'
import { spanOf } from './zones.ts'

const CONTAINS: readonly Operator[] = ['contains']
const DATES: readonly Operator[] = ['=', 'contains', '>', '<', 'between']
const NONE_VALUE_ID = 100

/** One member of the criteria. Undefined: it is empty, and is dropped. */
export function testCriterion(scope: Scope, criterion: OracleCriterion): Test | undefined {
  const [tracker] = scope.trackers
  const field = tracker && readableField(scope, tracker, criterion.field)
  if (!field) return refuseQuery(scope, 'query_unknown_key', 'field')
  const { kind, name } = field
  const { operator = 'contains', value } = criterion
  const given = asList(value)
  const takes = (operators: readonly Operator[]) => operators.includes(operator)
  const stored = ({ version }: ArtifactSnapshot) => version.values[name]
  const wrong = () => refuseQuery(scope, 'query_operator', 'operator')
  switch (kind) {
    case 'text':
      return takes(CONTAINS) ? testText(String(given[0] ?? ''), (seen) => textOfValue(stored(seen))) : wrong()
    case 'number':
      return takes(CONTAINS) ? testNumber(given[0] ?? '', (seen) => numberOfValue(stored(seen))) : wrong()
    case 'aid':
    case 'atid':
    case 'priority':
      return takes(CONTAINS) ? testNumber(given[0] ?? '', (seen) => factOf(kind, seen)) : wrong()
    case 'day':
    case 'instant':
      return takes(DATES) ? testDate(scope, operator, given, kind === 'day', stored) : wrong()
    case 'subon':
    case 'lud':
      return takes(DATES) ? testDate(scope, operator, given, false, (seen) => dateOf(kind, seen)) : wrong()
    case 'subby':
    case 'luby':
      return takes(CONTAINS) ? testChosen(scope, given, people(scope), (seen) => [personByKind(kind, seen)]) : wrong()
    case 'users':
      return takes(CONTAINS) ? testChosen(scope, given, people(scope), (seen) => labelsOfValue(stored(seen))) : wrong()
    case 'static':
    case 'groups':
    case 'open':
      if (!takes(CONTAINS)) return wrong()
      return testChosen(scope, given, named(field), (seen) => labelsOfValue(stored(seen)), kind === 'open')
    case 'links':
    case 'perm':
    case 'computed':
    case 'cross':
      break
  }
  return undefined
}

function asList(value: OracleCriterion['value']): readonly Scalar[] {
  if (typeof value === 'string' || typeof value === 'number') return [value]
  return Array.isArray(value) ? value : Object.values(value)
}

/** All words anywhere, or a regular expression between slashes. */
function testText(written: string, textOf: (seen: ArtifactSnapshot) => string): Test | undefined {
  const pattern = /^(!?)\/(.*)\/$/su.exec(written)
  if (pattern) return (seen) => matchesPattern(pattern[2] ?? '', textOf(seen)) !== (pattern[1] === '!')
  const words = written.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return undefined
  return (seen) => words.every((word) => containsIgnoringCase(textOf(seen), word))
}

const NUMBER = String.raw`-?\d+(?:\.\d+)?`

function testNumber(given: Scalar, numberOf: (seen: ArtifactSnapshot) => number | undefined): Test | undefined {
  const written = String(given).trim()
  const of = (test: (number: number) => boolean): Test => {
    return (seen) => {
      const number = numberOf(seen)
      return number !== undefined && test(number)
    }
  }
  const pattern = /^\/(.*)\/$/su.exec(written)
  if (pattern) return of((number) => matchesPattern(pattern[1] ?? '', String(number)))
  if (new RegExp(`^${NUMBER}$`).test(written)) return of((number) => number === Number(written))
  const [, from, to] = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(written) ?? []
  if (from !== undefined && to !== undefined) return of((number) => number >= Number(from) && number <= Number(to))
  const [, sign, bound] = new RegExp(`^(<=|>=|<|>)\\s*(${NUMBER})$`).exec(written) ?? []
  const than = Number(bound)
  if (sign === '<') return of((number) => number < than)
  if (sign === '<=') return of((number) => number <= than)
  if (sign === '>') return of((number) => number > than)
  return sign === '>=' ? of((number) => number >= than) : undefined
}

function testDate(
  { viewer: { zone } }: Scope,
  operator: Operator,
  given: readonly Scalar[],
  isDay: boolean,
  dateIn: (seen: ArtifactSnapshot) => OracleValue | undefined,
): Test | undefined {
  const spans = given.map((each) => (isDate(each) ? spanOf(isDay ? 'UTC' : zone, String(each)) : undefined))
  const [first, second] = spans
  if (!first || spans.includes(undefined) || spans.length !== (operator === 'between' ? 2 : 1)) return undefined
  return (seen) => {
    const at = instantIn(dateIn(seen))
    if (at === undefined) return false
    if (operator === '>') return at >= first[1]
    if (operator === '<') return at < first[0]
    return at >= first[0] && at < (second ?? first)[1]
  }
}

function isDate(given: Scalar): boolean {
  if (typeof given !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(given)) return false
  const at = Date.parse(`${given}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(given)
}

/** Resolves ids or labels to a label; undefined: unknown; `isRefused`: not a valid id. */
type Naming = (given: Scalar) => string | undefined | { readonly isRefused: true }

/** The None value is skipped, except for open lists, which have no such value. */
function testChosen(
  scope: Scope,
  given: readonly Scalar[],
  naming: Naming,
  chosen: (seen: ArtifactSnapshot) => readonly string[],
  isOpen = false,
): Test | undefined {
  const asked = isOpen ? given : given.filter((each) => Number(each) !== NONE_VALUE_ID)
  if (asked.length === 0) return undefined
  const found = asked.map(naming)
  const labels = found.flatMap((each) => (typeof each === 'string' ? each : []))
  if (found.some((each) => typeof each === 'object')) return refuseQuery(scope, 'value_invalid', 'list_value')
  return (seen) => chosen(seen).some((label) => labels.includes(label))
}

function people({ world }: Scope): Naming {
  return (given) =>
    /^\d+$/.test(String(given))
      ? (world.people.find(({ id }) => id === Number(given))?.login ?? undefined)
      : { isRefused: true }
}

function named({ kind, options }: OracleField): Naming {
  return (given) => {
    const written = kind === 'open' ? String(given).replace(/^b(?=\d+$)/, '') : String(given)
    const byId = options.find(({ id }) => String(id) === written)
    if (byId) return byId.label
    const byLabel = options.find(
      ({ label }) => containsIgnoringCase(label, written) && containsIgnoringCase(written, label),
    )
    if (byLabel) return byLabel.label
    return /^[bo]?\d+$/.test(written) || /^\d+_\d+$/.test(written) ? undefined : { isRefused: true }
  }
}
