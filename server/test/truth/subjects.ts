import {
  compareChosen,
  compareDate,
  compareNumber,
  compareText,
  type Given,
  never,
  optionsOf,
  peopleOf,
} from './compare.ts'
import type { Field, Tracker, Value } from './model.ts'
import type { Comparison } from './query.ts'
import { readable, refuse, type Scope, type Seen, type Test } from './scope.ts'
import { assigneesOf, commentsFor, sees } from './sight.ts'
import { contains } from './texts.ts'

/** A comparison of the query language, of a field or of what stands behind an `@`. */
export function testComparison(scope: Scope, { subject, comparator, literals }: Comparison): Test {
  const given = { comparator, literals }
  return subject.startsWith('@') ? testMetadata(scope, subject, given) : testNamed(scope, subject, given)
}

/** In several trackers a name may mean several fields; those that lack it never match. */
function testNamed(scope: Scope, name: string, given: Given): Test {
  const found = scope.trackers.flatMap((tracker) => {
    const field = readable(scope, tracker, name)
    return field ? [{ tracker, field }] : []
  })
  if (found.length === 0) return refuse(scope, 'query_unknown_key', 'field')
  const tests = found.map(({ tracker, field }) => ({ tracker, test: testField(scope, field, given) }))
  return (seen) => tests.find(({ tracker }) => tracker === seen.artifact.tracker)?.test(seen) ?? false
}

function testField(scope: Scope, field: Field, given: Given): Test {
  const { name, kind } = field
  const value = ({ version }: Seen) => version.values[name]
  if (kind === 'text') return compareText(scope, given, (seen) => textIn(value(seen)))
  if (kind === 'number') return compareNumber(scope, given, (seen) => numberIn(value(seen)))
  if (kind === 'day') return compareDate(scope, given, 'day', value)
  if (kind === 'instant') return compareDate(scope, given, 'minute', value)
  if (kind === 'static' || kind === 'users' || kind === 'groups' || kind === 'open')
    return compareChosen(scope, given, optionsOf(scope, field), (seen) => chosenIn(value(seen)))
  if (kind === 'aid' || kind === 'atid') return compareNumber(scope, given, (seen) => factOf(kind, seen))
  if (kind === 'subon' || kind === 'lud') return compareDate(scope, given, 'minute', (seen) => dateOf(kind, seen))
  if (kind === 'subby' || kind === 'luby') return comparePerson(scope, given, kind)
  if (kind === 'links') return compareLinked(scope, given)
  return refuse(scope, 'query_operator', 'field_type')
}

function testMetadata(scope: Scope, name: string, given: Given): Test {
  const field = (tracker: Tracker, semantic: string | undefined) =>
    semantic === undefined ? undefined : readable(scope, tracker, semantic)
  const semanticValue = ({ artifact: { tracker }, version }: Seen, semantic: string | undefined) =>
    field(tracker, semantic) && version.values[semantic ?? '']
  if (name === '@title')
    return compareText(scope, given, (seen) => textIn(semanticValue(seen, seen.artifact.tracker.title)))
  if (name === '@description')
    return compareText(scope, given, (seen) => textIn(semanticValue(seen, seen.artifact.tracker.description)))
  if (name === '@status') return compareStatus(scope, given)
  if (name === '@assigned_to') {
    const everybody = scope.world.people.flatMap(({ login }) => login ?? [])
    return compareChosen(scope, given, peopleOf(everybody, true), ({ artifact: { tracker }, version }) =>
      field(tracker, tracker.contributor) ? assigneesOf(tracker, version) : [],
    )
  }
  if (name === '@submitted_by') return comparePerson(scope, given, 'subby')
  if (name === '@last_update_by') return comparePerson(scope, given, 'luby')
  if (name === '@submitted_on') return compareDate(scope, given, 'minute', (seen) => dateOf('subon', seen))
  if (name === '@last_update_date') return compareDate(scope, given, 'minute', (seen) => dateOf('lud', seen))
  if (name === '@id') return compareNumber(scope, given, (seen) => factOf('aid', seen))
  if (name === '@comments') return compareComments(scope, given)
  return refuse(scope, 'query_unknown_key', 'metadata')
}

function compareStatus(scope: Scope, { comparator, literals: [literal] }: Given): Test {
  if (comparator !== '=' && comparator !== '!=') return refuse(scope, 'query_operator', 'operator')
  if (literal?.kind !== 'open') return refuse(scope, 'query_operator')
  return (seen) => isOpen(scope, seen) === (comparator === '=')
}

/** Without a status to read there is none that is open; without a semantic everything is. */
export function isOpen(scope: Scope, { artifact: { tracker }, version }: Seen): boolean {
  const { status } = tracker
  if (!status) return true
  if (!readable(scope, tracker, status.field)) return false
  return chosenIn(version.values[status.field]).some((label) => status.open.includes(label))
}

function compareComments(scope: Scope, { comparator, literals: [literal] }: Given): Test {
  if (comparator !== '=' && comparator !== '!=') return refuse(scope, 'query_operator', 'operator')
  if (literal?.kind !== 'string') return refuse(scope, 'query_operator', 'function')
  const { text } = literal
  return ({ versions }) => {
    const comments = commentsFor(scope.viewer, versions)
    const holds = text === '' ? comments.length === 0 : comments.some((comment) => contains(comment, text))
    return holds === (comparator === '=')
  }
}

function comparePerson(scope: Scope, given: Given, kind: 'subby' | 'luby'): Test {
  const everybody = scope.world.people.flatMap(({ login }) => login ?? [])
  return compareChosen(scope, given, peopleOf(everybody, false), (seen) => [personOf(kind, seen)])
}

/** `= n`: linked to n, which has to be there for whoever asks. */
function compareLinked(scope: Scope, { comparator, literals: [literal] }: Given): Test {
  if (comparator !== '=') return refuse(scope, 'query_operator', 'operator')
  if (literal?.kind !== 'number') return never
  const end = Number(literal.text)
  const target = scope.world.artifacts.find(({ id }) => id === end)
  if (!target || !sees(scope.world, scope.viewer, target)) return never
  return ({ version }) => version.links.some(({ to }) => to === end)
}

export function personOf(kind: 'subby' | 'luby', { artifact, version }: Seen): string {
  return kind === 'subby' ? artifact.versions[0].by : version.by
}

export function dateOf(kind: 'subon' | 'lud', { artifact, version }: Seen): Value {
  return { kind: 'instant', at: kind === 'subon' ? artifact.versions[0].at : version.at }
}

export function factOf(kind: 'aid' | 'atid' | 'priority', { artifact: { id, number, rank } }: Seen): number {
  return kind === 'aid' ? id : kind === 'atid' ? number : rank
}

export function textIn(value: Value | undefined): string {
  return value?.kind === 'text' ? value.text : ''
}

export function numberIn(value: Value | undefined): number | undefined {
  return value?.kind === 'number' ? value.number : undefined
}

export function chosenIn(value: Value | undefined): readonly string[] {
  return value?.kind === 'chosen' ? value.labels : []
}
