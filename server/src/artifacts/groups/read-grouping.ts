import { ApiError } from '../../platform/messages/errors.ts'
import type { ErrorProblem, Reason } from '../../platform/messages/reasons.ts'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import { findMetadata, METADATA_NAMES } from '../../trackers/search/bind-metadata.ts'
import { type Meaning, meaningOfElement, namedFields } from '../../trackers/search/bind-names.ts'
import { meaning, ofField } from '../../trackers/search/bind-problems.ts'
import type { GroupValue, GroupContext } from '../../trackers/search/group-value.ts'
import { nearestName } from '../../platform/wire/nearest.ts'
import type { TrackerAccess } from '../../trackers/tracker-access.ts'
import { BUCKETS, type Element } from '../../trackers/tracker.ts'
import type { GroupKey } from './grouping.ts'

const IS_OPEN = 'is_open'
const PARENT = '@parent'
const MAX_NAMES = { by: 2, sum: 3 } as const

type NamedKey = Pick<GroupKey, 'name' | 'element'>
type Read<T> = { readonly read: T } | { readonly problem: ErrorProblem }

/** Reads keys and sums; reports all problems at once. */
export function readGrouping(
  access: TrackerAccess,
  telling: GroupContext,
  given: { readonly by: string; readonly sum?: string | undefined },
): { keys: readonly GroupKey[]; sums: readonly Element[] } {
  const [by, sum] = [namesIn(given.by, 'by'), namesIn(given.sum ?? '', 'sum')]
  if (by.length === 0) throw new ApiError('parameter_required', { path: 'by', rule: 'required' })
  const keys = by.map((each) => readKey(each, access, telling))
  const sums = sum.map((each) => readSum(each, access))
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
  if (names.length <= MAX_NAMES[path]) return names
  throw new ApiError('parameter_out_of_range', {
    path,
    rule: 'maximum',
    cause: 'too_many',
    allowed: { maximum: MAX_NAMES[path] },
  })
}

function readIn<T>(each: Read<T>): T[] {
  return 'read' in each ? [each.read] : []
}

/** `status`, `310`, `@status`, `is_open`, `due:month`. */
function readKey(given: string, access: TrackerAccess, telling: GroupContext): Read<GroupKey> {
  const [name = '', ...rest] = given.split(':')
  if (name === IS_OPEN) return readOpen(access, telling, rest)
  if (name === PARENT) return inBuckets({ name }, { kind: 'parent' }, rest)
  const found = name.startsWith('@') ? findMetadata(name.slice(1))?.meaningIn(access) : fieldCalled(name, access)
  if (!found) return { problem: unknown(name, 'by', groupableNames(access, telling)) }
  const { element } = found
  const named = { name: element && !name.startsWith('@') ? element.name : name, ...(element && { element }) }
  const value = found.group?.(telling)
  return value ? inBuckets(named, value, rest) : { problem: unfit(named, 'by') }
}

/** Only dates have buckets. */
function inBuckets(named: NamedKey, value: GroupValue, rest: readonly string[]): Read<GroupKey> {
  const [written] = rest
  const bucket = rest.length === 1 ? BUCKETS.find((each) => each === written) : undefined
  if (value.kind === 'date') return bucket ? { read: { ...named, value, bucket } } : { problem: unbucketed(named) }
  return rest.length === 0 ? { read: { ...named, value } } : { problem: unbucketed(named, []) }
}

/** `is_open` as in representations; refused if the viewer may not read the status. */
function readOpen(access: TrackerAccess, telling: GroupContext, rest: readonly string[]): Read<GroupKey> {
  if (!mayReadStatus(access)) return { problem: unknown(IS_OPEN, 'by', groupableNames(access, telling)) }
  const { status } = access.tracker.semantics
  const of = status && { field: status.field_id, ids: status.open }
  return inBuckets({ name: IS_OPEN }, { kind: 'open', status: of }, rest)
}

/** Without a status every artifact is open, which is no secret. */
function mayReadStatus({ tracker, mayRead }: TrackerAccess): boolean {
  const { status } = tracker.semantics
  const element = status ? tracker.byId.get(status.field_id) : undefined
  return status === null || (element !== undefined && mayRead(element))
}

function readSum(name: string, access: TrackerAccess): Read<Element> {
  const element = fieldCalled(name, access)?.element
  if (!element) return { problem: unknown(name, 'sum', summableNames(access)) }
  return isSummable(element) ? { read: element } : { problem: unfit({ name, element }, 'sum') }
}

/** By id or name; ids first, as in criteria. */
function fieldCalled(name: string, access: TrackerAccess): Meaning | undefined {
  const fields = namedFields(access, false)
  const element = fields.find(({ id }) => String(id) === name) ?? fields.find((each) => each.name === name)
  return element && meaningOfElement(element)
}

function isSummable(element: Element): boolean {
  return fieldTypeOf(element).search?.isSummable === true
}

function summableNames(access: TrackerAccess): string[] {
  return namedFields(access, false).flatMap((element) => (isSummable(element) ? [element.name] : []))
}

function groupableNames(access: TrackerAccess, telling: GroupContext): string[] {
  const fields = namedFields(access, false).filter((element) => meaningOfElement(element).group?.(telling))
  const metadata = METADATA_NAMES.filter((name) => findMetadata(name.slice(1))?.meaningIn(access)?.group?.(telling))
  return [...fields.map(({ name }) => name), ...metadata, PARENT, ...(mayReadStatus(access) ? [IS_OPEN] : [])]
}

function unknown(name: string, path: string, allowed: readonly string[]): ErrorProblem {
  const cause = name.startsWith('@') ? 'metadata' : 'field'
  const params = { name, ...meaning(nearestName(name, allowed)) }
  return { reason: 'query_unknown_key', path, cause, allowed, params }
}

function unfit({ name, element }: NamedKey, path: string): ErrorProblem {
  return { reason: 'query_operator', path, cause: 'field_type', ...(element ? ofField(element) : { name }) }
}

function unbucketed({ name, element }: NamedKey, allowed: readonly string[] = BUCKETS): ErrorProblem {
  return { reason: 'query_operator', path: 'by', cause: 'bucket', allowed, ...(element ? ofField(element) : { name }) }
}
