import {
  testChoiceComparison,
  testDateComparison,
  testNumberComparison,
  testTextComparison,
  type ComparisonInput,
  never,
  optionNames,
  personNames,
} from './compare.ts'
import type { OracleField, OracleTracker, OracleValue } from './model.ts'
import type { OracleComparison } from './query.ts'
import { readableField, refuseQuery, type Scope, type ArtifactSnapshot, type Test } from './scope.ts'
import { assigneesOf, commentsFor, sees } from './visibility.ts'
import { containsIgnoringCase } from './texts.ts'

/** A comparison of the query language on a field or an `@` subject. */
export function testComparison(scope: Scope, { subject, comparator, literals }: OracleComparison): Test {
  const given = { comparator, literals }
  return subject.startsWith('@') ? testMetadata(scope, subject, given) : testNamed(scope, subject, given)
}

/** A name may mean several fields in several trackers; trackers without it never match. */
function testNamed(scope: Scope, name: string, given: ComparisonInput): Test {
  const found = scope.trackers.flatMap((tracker) => {
    const field = readableField(scope, tracker, name)
    return field ? [{ tracker, field }] : []
  })
  if (found.length === 0) return refuseQuery(scope, 'query_unknown_key', 'field')
  const tests = found.map(({ tracker, field }) => ({ tracker, test: testField(scope, field, given) }))
  return (seen) => tests.find(({ tracker }) => tracker === seen.artifact.tracker)?.test(seen) ?? false
}

function testField(scope: Scope, field: OracleField, given: ComparisonInput): Test {
  const { name, kind } = field
  const value = ({ version }: ArtifactSnapshot) => version.values[name]
  if (kind === 'text') return testTextComparison(scope, given, (seen) => textOfValue(value(seen)))
  if (kind === 'number') return testNumberComparison(scope, given, (seen) => numberOfValue(value(seen)))
  if (kind === 'day') return testDateComparison(scope, given, 'day', value)
  if (kind === 'instant') return testDateComparison(scope, given, 'minute', value)
  if (kind === 'static' || kind === 'users' || kind === 'groups' || kind === 'open')
    return testChoiceComparison(scope, given, optionNames(scope, field), (seen) => labelsOfValue(value(seen)))
  if (kind === 'aid' || kind === 'atid') return testNumberComparison(scope, given, (seen) => factOf(kind, seen))
  if (kind === 'subon' || kind === 'lud')
    return testDateComparison(scope, given, 'minute', (seen) => dateOf(kind, seen))
  if (kind === 'subby' || kind === 'luby') return comparePerson(scope, given, kind)
  if (kind === 'links') return compareLinked(scope, given)
  return refuseQuery(scope, 'query_operator', 'field_type')
}

function testMetadata(scope: Scope, name: string, given: ComparisonInput): Test {
  const field = (tracker: OracleTracker, semantic: string | undefined) =>
    semantic === undefined ? undefined : readableField(scope, tracker, semantic)
  const semanticValue = ({ artifact: { tracker }, version }: ArtifactSnapshot, semantic: string | undefined) =>
    field(tracker, semantic) && version.values[semantic ?? '']
  if (name === '@title')
    return testTextComparison(scope, given, (seen) => textOfValue(semanticValue(seen, seen.artifact.tracker.title)))
  if (name === '@description')
    return testTextComparison(scope, given, (seen) =>
      textOfValue(semanticValue(seen, seen.artifact.tracker.description)),
    )
  if (name === '@status') return compareStatus(scope, given)
  if (name === '@assigned_to') {
    const everybody = scope.world.people.flatMap(({ login }) => login ?? [])
    return testChoiceComparison(
      scope,
      given,
      personNames(scope, everybody, true),
      ({ artifact: { tracker }, version }) =>
        field(tracker, tracker.contributor) ? assigneesOf(tracker, version) : [],
    )
  }
  if (name === '@submitted_by') return comparePerson(scope, given, 'subby')
  if (name === '@last_update_by') return comparePerson(scope, given, 'luby')
  if (name === '@submitted_on') return testDateComparison(scope, given, 'minute', (seen) => dateOf('subon', seen))
  if (name === '@last_update_date') return testDateComparison(scope, given, 'minute', (seen) => dateOf('lud', seen))
  if (name === '@id') return testNumberComparison(scope, given, (seen) => factOf('aid', seen))
  if (name === '@comments') return compareComments(scope, given)
  return refuseQuery(scope, 'query_unknown_key', 'metadata')
}

function compareStatus(scope: Scope, { comparator, literals: [literal] }: ComparisonInput): Test {
  if (comparator !== '=' && comparator !== '!=') return refuseQuery(scope, 'query_operator', 'operator')
  if (literal?.kind !== 'open') return refuseQuery(scope, 'query_operator')
  return (seen) => isOpen(scope, seen) === (comparator === '=')
}

/** Without a readable status an artifact is not open; without the semantic all are. */
export function isOpen(scope: Scope, { artifact: { tracker }, version }: ArtifactSnapshot): boolean {
  const { status } = tracker
  if (!status) return true
  if (!readableField(scope, tracker, status.field)) return false
  return labelsOfValue(version.values[status.field]).some((label) => status.open.includes(label))
}

function compareComments(scope: Scope, { comparator, literals: [literal] }: ComparisonInput): Test {
  if (comparator !== '=' && comparator !== '!=') return refuseQuery(scope, 'query_operator', 'operator')
  if (literal?.kind !== 'string') return refuseQuery(scope, 'query_operator', 'function')
  const { text } = literal
  return ({ versions }) => {
    const comments = commentsFor(scope.viewer, versions)
    const holds = text === '' ? comments.length === 0 : comments.some((comment) => containsIgnoringCase(comment, text))
    return holds === (comparator === '=')
  }
}

function comparePerson(scope: Scope, given: ComparisonInput, kind: 'subby' | 'luby'): Test {
  const everybody = scope.world.people.flatMap(({ login }) => login ?? [])
  return testChoiceComparison(scope, given, personNames(scope, everybody, false), (seen) => [personByKind(kind, seen)])
}

/** `= n`: linked to n, which must be visible to the viewer. */
function compareLinked(scope: Scope, { comparator, literals: [literal] }: ComparisonInput): Test {
  if (comparator !== '=') return refuseQuery(scope, 'query_operator', 'operator')
  if (literal?.kind !== 'number') return never
  const end = Number(literal.text)
  const target = scope.world.artifacts.find(({ id }) => id === end)
  if (!target || !sees(scope.world, scope.viewer, target)) return never
  return ({ version }) => version.links.some(({ to }) => to === end)
}

export function personByKind(kind: 'subby' | 'luby', { artifact, version }: ArtifactSnapshot): string {
  return kind === 'subby' ? artifact.versions[0].by : version.by
}

export function dateOf(kind: 'subon' | 'lud', { artifact, version }: ArtifactSnapshot): OracleValue {
  return { kind: 'instant', at: kind === 'subon' ? artifact.versions[0].at : version.at }
}

export function factOf(
  kind: 'aid' | 'atid' | 'priority',
  { artifact: { id, number, rank } }: ArtifactSnapshot,
): number {
  return kind === 'aid' ? id : kind === 'atid' ? number : rank
}

export function textOfValue(value: OracleValue | undefined): string {
  return value?.kind === 'text' ? value.text : ''
}

export function numberOfValue(value: OracleValue | undefined): number | undefined {
  return value?.kind === 'number' ? value.number : undefined
}

export function labelsOfValue(value: OracleValue | undefined): readonly string[] {
  return value?.kind === 'chosen' ? value.labels : []
}
