import type { Group, GroupedParent, Tracker, TrackerField } from '@waypost/sdk/api'
import { fieldType } from '../../field-types/field-types.ts'
import { locale } from '../../messages/language.ts'
import { text } from '../messages.ts'
import { quoted } from '../tql/tokens.ts'

const BUCKETS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type DateBucket = (typeof BUCKETS)[number]

/** The field by which rows are grouped, and the length of the groups of a date. */
export interface GroupChoice {
  /** Undefined: the parent. */
  readonly field: TrackerField | undefined
  readonly bucket: DateBucket | undefined
}

export const BY_PARENT_CHOICE: GroupChoice = { field: undefined, bucket: undefined }

/** In the address: not groups, but children below their parents. */
export const AS_TREE = '@tree'

/** As in the address and in the API: `status`, `due:month`, `@parent`. */
export function groupName({ field, bucket }: GroupChoice): string {
  if (!field) return '@parent'
  return bucket === undefined ? field.name : `${field.name}:${bucket}`
}

/** Artifacts of the tracker can have parents and children. */
export function hasFamily({ fields }: Tracker): boolean {
  return fields.some((field) => fieldType(field).links !== undefined)
}

/** Lists of values and of people, dates, and the parent. */
export function possibleGroups(tracker: Tracker): readonly GroupChoice[] {
  return [...groupableFields(tracker), ...(hasFamily(tracker) ? [BY_PARENT_CHOICE] : [])]
}

function groupableFields({ fields }: Tracker): readonly GroupChoice[] {
  return fields.flatMap((field): GroupChoice[] => {
    const { list, picker } = fieldType(field)
    if (picker === 'day') return BUCKETS.map((bucket) => ({ field, bucket }))
    const isNamed = field.bindings.type === 'static' || field.bindings.type === 'users'
    return (list === 'one' || list === 'many') && isNamed ? [{ field, bucket: undefined }] : []
  })
}

export function findGroupChoice(tracker: Tracker, name: string | undefined): GroupChoice | undefined {
  return possibleGroups(tracker).find((choice) => groupName(choice) === name)
}

export function groupChoiceLabel({ field, bucket }: GroupChoice): string {
  if (!field) return text('group.by_parent')
  return bucket === undefined ? field.label : text(`group.by_${bucket}`, { field: field.label })
}

export type RowGroupKey = Group['key'][number]

/** Identifies a group while names and counts change. */
export function rowGroupId(key: RowGroupKey): string {
  return typeof key === 'object' && key !== null ? String(key.id) : JSON.stringify(key)
}

/** The condition of the rows of a group. */
export function groupCondition({ field, bucket }: GroupChoice, key: RowGroupKey): string {
  if (!field) return isParentKey(key) ? `WITH PARENT ARTIFACT = ${key.id}` : 'WITHOUT PARENT'
  const { name } = field
  if (typeof key === 'string' && bucket !== undefined)
    return `${name} >= ${quoted(key)} AND ${name} < ${quoted(nextBucket(key, bucket))}`
  return `${name} = ${quoted(nameOfKey(key))}`
}

/** The name in the query language; empty for rows without a value. */
function nameOfKey(key: RowGroupKey): string {
  if (key === null || typeof key !== 'object') return key === null ? '' : String(key)
  return 'username' in key ? (key.username ?? '') : (key.label ?? '')
}

export function isParentKey(key: RowGroupKey | undefined): key is GroupedParent {
  return typeof key === 'object' && key !== null && 'xref' in key
}

/** The first day of the next group. */
export function nextBucket(start: string, bucket: DateBucket): string {
  const day = new Date(`${start}T00:00:00Z`)
  if (bucket === 'day') day.setUTCDate(day.getUTCDate() + 1)
  if (bucket === 'week') day.setUTCDate(day.getUTCDate() + 7)
  if (bucket === 'month') day.setUTCMonth(day.getUTCMonth() + 1)
  if (bucket === 'quarter') day.setUTCMonth(day.getUTCMonth() + 3)
  if (bucket === 'year') day.setUTCFullYear(day.getUTCFullYear() + 1)
  return day.toISOString().slice(0, 10)
}

const FORMATS: Readonly<Record<DateBucket, Intl.DateTimeFormatOptions>> = {
  day: { dateStyle: 'full' },
  week: { dateStyle: 'medium' },
  month: { month: 'long', year: 'numeric' },
  quarter: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
}

export function rowGroupLabel({ bucket }: GroupChoice, key: RowGroupKey): string {
  if (key === null || key === '') return text('group.none')
  if (typeof key === 'object') return 'username' in key ? (key.real_name ?? key.display_name) : (key.label ?? '')
  if (typeof key !== 'string' || bucket === undefined) return String(key)
  const format = new Intl.DateTimeFormat(locale, { ...FORMATS[bucket], timeZone: 'UTC' })
  const start = new Date(`${key}T00:00:00Z`)
  if (bucket === 'week') return text('group.week', { day: format.format(start) })
  if (bucket !== 'quarter') return format.format(start)
  const last = new Date(`${nextBucket(key, bucket)}T00:00:00Z`)
  last.setUTCDate(0)
  return format.formatRange(start, last)
}
