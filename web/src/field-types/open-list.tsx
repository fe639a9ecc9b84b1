import { useQuery } from '@tanstack/react-query'
import type { TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import type { ChoiceKey } from '../artifacts/choices.ts'
import { MIN_PERSON_LETTERS, peopleQuery } from '../artifacts/people-query.ts'
import { Pick } from '../artifacts/pick.tsx'
import type { Pickable } from '../artifacts/pick-search.tsx'
import { isJsonRecord } from '../json.ts'
import type { EditorProps, FieldEditing, FieldType, ValueDraft } from './field-type.ts'
import { pickable } from './parts/edit-list.tsx'
import { LIST_FILTER } from './parts/filters.ts'
import { itemNames, showItems } from './parts/lists.tsx'
import { TAGS_COLUMN } from './parts/table-import.ts'
import { defaultItems, type ListItem, offeredItems, type OpenListValue } from './values.ts'

const editing: FieldEditing<OpenListValue> = {
  toDraft: ({ field_id }, value) => draftOf(field_id, (value?.bind_value_objects ?? []).map(toDraftItem)),
  defaultDraft: (field) => draftOf(field.field_id, defaultItems(field).map(toDraftItem)),
  optimistic: ({ field_id, type, label }, draft) => ({
    field_id,
    type,
    label,
    bind_value_objects: draftItems(draft),
  }),
  Editor: EditOpenList,
}

export const openList: FieldType<OpenListValue> = {
  type: 'tbl',
  kind: 'field',
  isEmpty: ({ bind_value_objects: items = [] }) => itemNames(items).length === 0,
  show: ({ bind_value_objects: items = [] }) => showItems(items),
  entries: ({ bind_value_objects: items = [] }) => itemNames(items),
  editing,
  column: { width: 8.5 },
  filter: LIST_FILTER,
  list: 'open',
  canBeRequired: true,
  fromTable: TAGS_COLUMN,
  settings: [{ name: 'hint', kind: 'line' }],
}

function draftOf(field_id: number, bind_value_objects: readonly ListItem[]): ValueDraft {
  return { field_id, value: { bind_value_objects } }
}

function draftItems({ value }: ValueDraft): readonly ListItem[] {
  const items: unknown = isJsonRecord(value) ? value['bind_value_objects'] : undefined
  return Array.isArray(items) ? items.filter(isJsonRecord) : []
}

/** The identity and the label. */
function toDraftItem({ id, label, display_name, real_name, username }: ListItem): ListItem {
  return { id: id ?? null, label: real_name || label || display_name || username || '' }
}

/** Existing and new values; for people and groups, only existing ones. */
function EditOpenList({ field, draft, onChange, frame }: EditorProps) {
  const [typed, setTyped] = useState('')
  const isPeople = field.bindings.type === 'users'
  const { data: people = [] } = useQuery({
    ...peopleQuery(typed.trim()),
    enabled: isPeople && typed.trim().length >= MIN_PERSON_LETTERS,
  })
  const items = draftItems(draft)
  const change = (next: readonly ListItem[]) => onChange(draftOf(field.field_id, next))
  return (
    <Pick
      {...frame}
      placeholder={field.hint || undefined}
      chosen={items.map((item) => ({ key: keyOf(item), label: item.label ?? '' }))}
      options={isPeople ? people.flatMap(pickable) : offered(field)}
      {...(isPeople && { onTyped: setTyped })}
      {...(field.bindings.type === 'static' && { onNew: (label: string) => change([...items, { label }]) })}
      onAdd={({ key, label }) => change([...items, { id: key, label }])}
      onRemove={(key) => change(items.filter((item) => keyOf(item) !== key))}
    />
  )
}

function keyOf({ id, label = '' }: ListItem): ChoiceKey {
  return id ?? label
}

function offered(field: TrackerField): readonly Pickable[] {
  return offeredItems(field).flatMap(({ id, label = '', is_hidden }) =>
    id === null || id === undefined || is_hidden === true ? [] : [{ key: id, label }],
  )
}
