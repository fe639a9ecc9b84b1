import { Type } from 'typebox'
import { fieldTypeOf } from '../../trackers/field-types/field-types.ts'
import type { BoundColumn } from '../../trackers/search/bind-columns.ts'
import { familyOf } from '../../trackers/search/bind-names.ts'

export const COLUMN_TYPES = [
  'artifact',
  'text',
  'numeric',
  'date',
  'list_static',
  'list_user',
  'list_user_group',
  'user',
  'project',
  'tracker',
  'pretty_title',
  'link_type',
  'unknown',
] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

export const Selected = Type.Object(
  { name: Type.String(), type: Type.Enum([...COLUMN_TYPES]) },
  { title: 'SelectedColumn' },
)

const OF_METADATA: ReadonlyMap<string, ColumnType> = new Map<string, ColumnType>([
  ['@title', 'text'],
  ['@description', 'text'],
  ['@status', 'list_static'],
  ['@assigned_to', 'list_user'],
  ['@submitted_by', 'user'],
  ['@last_update_by', 'user'],
  ['@submitted_on', 'date'],
  ['@last_update_date', 'date'],
  ['@id', 'numeric'],
  ['@project.name', 'project'],
  ['@tracker.name', 'tracker'],
  ['@pretty_title', 'pretty_title'],
  ['@link_type', 'link_type'],
])

/** By family (bind-names.ts). */
const OF_FAMILIES: Readonly<Partial<Record<string, ColumnType>>> = {
  text: 'text',
  number: 'numeric',
  date: 'date',
  'list of static': 'list_static',
  'list of users': 'list_user',
  'list of ugroups': 'list_user_group',
}

/** The type of the cells. It is the same in all trackers, because fields of one name must have compatible types. */
export function columnType({ name, elements }: BoundColumn): ColumnType {
  const known = OF_METADATA.get(name)
  if (known) return known
  const [element] = elements.values()
  if (!element) return 'unknown'
  const { kind, column } = fieldTypeOf(element)
  return column ?? (kind === 'field' ? OF_FAMILIES[familyOf(element)] : undefined) ?? 'unknown'
}
