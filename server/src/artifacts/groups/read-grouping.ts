import { ApiError } from '../../platform/words/errors.ts'
import type { Problem, Reason } from '../../platform/words/reasons.ts'
import { fieldTypeOf } from '../../trackers/fields/field-types.ts'
import { findMetadata, METADATA_NAMES } from '../../trackers/search/bind-metadata.ts'
import { type Meaning, meaningOfElement, namedFields } from '../../trackers/search/bind-names.ts'
import { meaning, ofField } from '../../trackers/search/bind-problems.ts'
import type { GroupValue, Telling } from '../../trackers/search/group-value.ts'
import { nearestName } from '../../trackers/search/nearest-name.ts'
import type { Sight } from '../../trackers/sight.ts'
import type { Element } from '../../trackers/tracker.ts'
import { BUCKETS, type GroupKey } from './grouping.ts'

const IS_OPEN = 'is_open'
const MOST = { by: 2, sum: 3 } as const

type Named = Pick<GroupKey, 'name' | 'element'>
type Read<T> = { readonly read: T } | { readonly problem: Problem }

/** What artifacts are counted by, and what is added up; all that is wrong with it is told at once. */
export function readGrouping(
  sight: Sight,
  telling: Telling,
  given: { readonly by: string; readonly sum?: string | undefined },
): { keys: readonly GroupKey[]; sums: readonly Element[] } {
  const [by, sum] = [namesIn(given.by, 'by'), namesIn(given.sum ?? '', 'sum')]
  if (by.length === 0) throw new ApiError('parameter_required', { path: 'by', rule: 'required' })
  const keys = by.map((each) => readKey(each, sight, telling))
  const sums = sum.map((each) => readSum(each, sight))
  const problems = [...keys, ...sums].flatMap((each) => ('problem' in each ? [each.problem] : []))
  const [first] = problems
  if (first) {
    const { reason, field_id: _, name: __, label: ___, ...details } = first
    throw new ApiError<Reason>(reason, { ...details, all: problems })
  }
  return { keys: keys.flatMap(readIn), sums: [...new Set(sums.flatMap(readIn))] }
}

function namesIn(text: string, path: 'by' | 'sum'): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length <= MOST[path]) return names
  throw new ApiError('parameter_out_of_range', {
    path,
    rule: 'maximum',
    cause: 'too_many',
    allowed: { maximum: MOST[path] },
  })
}

function readIn<T>(each: Read<T>): T[] {
  return 'read' in each ? [each.read] : []
}

/** `status`, `310`, `@status`, `is_open`, `due:month`. */
function readKey(given: string, sight: Sight, telling: Telling): Read<GroupKey> {
  const [name = '', ...rest] = given.split(':')
  if (name === IS_OPEN) return readOpen(sight, telling, rest)
  const found = name.startsWith('@') ? findMetadata(name.slice(1))?.meaningIn(sight) : fieldCalled(name, sight)
  if (!found) return { problem: unknown(name, 'by', groupableNames(sight, telling)) }
  const { element } = found
  const named = { name: element && !name.startsWith('@') ? element.name : name, ...(element && { element }) }
  const value = found.group?.(telling)
  return value ? inBuckets(named, value, rest) : { problem: unfit(named, 'by') }
}

/** Dates are counted in buckets, and nothing else is. */
function inBuckets(named: Named, value: GroupValue, rest: readonly string[]): Read<GroupKey> {
  const [written] = rest
  const bucket = rest.length === 1 ? BUCKETS.find((each) => each === written) : undefined
  if (value.kind === 'date') return bucket ? { read: { ...named, value, bucket } } : { problem: unbucketed(named) }
  return rest.length === 0 ? { read: { ...named, value } } : { problem: unbucketed(named, []) }
}

/** What answers say of each artifact; nobody counts by a status that he may not read. */
function readOpen(sight: Sight, telling: Telling, rest: readonly string[]): Read<GroupKey> {
  if (!mayReadStatus(sight)) return { problem: unknown(IS_OPEN, 'by', groupableNames(sight, telling)) }
  const { status } = sight.tracker.semantics
  const of = status && { field: status.field_id, ids: status.open }
  return inBuckets({ name: IS_OPEN }, { kind: 'open', status: of }, rest)
}

/** Where there is no status, everything is open, and everybody may know it. */
function mayReadStatus({ tracker, mayRead }: Sight): boolean {
  const { status } = tracker.semantics
  const element = status ? tracker.byId.get(status.field_id) : undefined
  return status === null || (element !== undefined && mayRead(element))
}

function readSum(name: string, sight: Sight): Read<Element> {
  const element = fieldCalled(name, sight)?.element
  if (!element) return { problem: unknown(name, 'sum', summableNames(sight)) }
  return isSummable(element) ? { read: element } : { problem: unfit({ name, element }, 'sum') }
}

/** By its id or its name; ids first, as in criteria. */
function fieldCalled(name: string, sight: Sight): Meaning | undefined {
  const fields = namedFields(sight, false)
  const element = fields.find(({ id }) => String(id) === name) ?? fields.find((each) => each.name === name)
  return element && meaningOfElement(element)
}

function isSummable(element: Element): boolean {
  return fieldTypeOf(element).search?.isSummable === true
}

function summableNames(sight: Sight): string[] {
  return namedFields(sight, false).flatMap((element) => (isSummable(element) ? [element.name] : []))
}

function groupableNames(sight: Sight, telling: Telling): string[] {
  const fields = namedFields(sight, false).filter((element) => meaningOfElement(element).group?.(telling))
  const metadata = METADATA_NAMES.filter((name) => findMetadata(name.slice(1))?.meaningIn(sight)?.group?.(telling))
  return [...fields.map(({ name }) => name), ...metadata, ...(mayReadStatus(sight) ? [IS_OPEN] : [])]
}

function unknown(name: string, path: string, allowed: readonly string[]): Problem {
  const cause = name.startsWith('@') ? 'metadata' : 'field'
  const params = { name, ...meaning(nearestName(name, allowed)) }
  return { reason: 'query_unknown_key', path, cause, allowed, params }
}

function unfit({ name, element }: Named, path: string): Problem {
  return { reason: 'query_operator', path, cause: 'field_type', ...(element ? ofField(element) : { name }) }
}

function unbucketed({ name, element }: Named, allowed: readonly string[] = BUCKETS): Problem {
  return { reason: 'query_operator', path: 'by', cause: 'bucket', allowed, ...(element ? ofField(element) : { name }) }
}
