import { instantIn } from './compare.ts'
import type { OracleField } from './model.ts'
import type { OracleSortKey } from './query.ts'
import { readableField, refuseQuery, type Scope, type ArtifactSnapshot } from './scope.ts'
import { labelsOfValue, dateOf, factOf, numberOfValue, personByKind, textOfValue } from './subjects.ts'
import { compareNaturally } from './texts.ts'

type Sorted = string | number | undefined
type Key = (seen: ArtifactSnapshot) => Sorted

/** The order of `ORDER BY`: empty values last in both directions, then by id. */
export function comparatorOf(
  scope: Scope,
  keys: readonly OracleSortKey[],
): (one: ArtifactSnapshot, other: ArtifactSnapshot) => number {
  const [tracker] = scope.trackers
  const made = keys.map(({ by, direction }) => ({
    key: by.startsWith('@') ? metadataKey(scope, by) : fieldKey(scope, tracker && readableField(scope, tracker, by)),
    sign: direction?.startsWith('DESC') ? -1 : 1,
  }))
  return (one, other) => {
    for (const { key, sign } of made) {
      const order = compare(key(one), key(other), sign)
      if (order !== 0) return order
    }
    return one.artifact.id - other.artifact.id
  }
}

function compare(one: Sorted, other: Sorted, sign: number): number {
  if (one === other) return 0
  if (one === undefined) return 1
  if (other === undefined) return -1
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
  return sign * compareNaturally(String(one), String(other))
}

function fieldKey(scope: Scope, field: OracleField | undefined): Key {
  if (!field) return refused(scope, 'query_unknown_key', 'field')
  const { name, kind, isMultiple, options } = field
  const value = ({ version }: ArtifactSnapshot) => version.values[name]
  if (kind === 'text') return (seen) => sortedText(textOfValue(value(seen)))
  if (kind === 'number') return (seen) => numberOfValue(value(seen))
  if (kind === 'day' || kind === 'instant') return (seen) => instantIn(value(seen))
  if (kind === 'subon' || kind === 'lud') return (seen) => instantIn(dateOf(kind, seen))
  if (kind === 'subby' || kind === 'luby') return (seen) => personByKind(kind, seen)
  if (kind === 'aid' || kind === 'atid' || kind === 'priority') return (seen) => factOf(kind, seen)
  if (isMultiple) return refused(scope, 'query_operator', 'field_type')
  if (kind === 'users') return (seen) => labelsOfValue(value(seen))[0]
  if (kind === 'static' || kind === 'groups') return (seen) => placeOf(options, labelsOfValue(value(seen))[0])
  return refused(scope, 'query_operator', 'field_type')
}

function metadataKey(scope: Scope, name: string): Key {
  const field = (named: string | undefined) => scope.trackers[0]?.fields.find((each) => each.name === named)
  if (name === '@title') return fieldKey(scope, field(scope.trackers[0]?.title))
  if (name === '@status') return fieldKey(scope, field(scope.trackers[0]?.status?.field))
  if (name === '@submitted_on') return (seen) => instantIn(dateOf('subon', seen))
  if (name === '@last_update_date') return (seen) => instantIn(dateOf('lud', seen))
  if (name === '@id') return (seen) => factOf('aid', seen)
  return refused(scope, 'query_unknown_key', 'metadata')
}

function placeOf(options: OracleField['options'], label: string | undefined): number | undefined {
  const place = options.findIndex((option) => option.label === label)
  return place < 0 ? undefined : place
}

/** The first 255 characters. */
function sortedText(text: string): string | undefined {
  return text === '' ? undefined : Array.from(text).slice(0, 255).join('')
}

function refused(scope: Scope, reason: string, cause: string): Key {
  refuseQuery(scope, reason, cause)
  return () => undefined
}
