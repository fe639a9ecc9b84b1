import type { TrackerField } from '@waypost/sdk/api'
import { Fragment, type ReactNode } from 'react'
import type { ChoiceKey } from '../../artifacts/choices.ts'
import { Hidden } from '../../design/page.tsx'
import { Swatch } from '../../design/swatch.tsx'
import type { FieldEditing, FieldType, ValueDraft } from '../field-type.ts'
import { defaultItems, type ListItem, type ListValue, offeredItems, type PersonValue } from '../values.ts'
import { draftKeys, storedKeys } from './list-keys.ts'
import styles from './values.module.css'

export interface ShownChoice {
  readonly id: ChoiceKey
  readonly label: string
  /** A palette name, or `#rrggbb`. */
  readonly color: string | undefined
}

interface ShownPerson {
  readonly id: number
  readonly name: string
  readonly login: string
}

/** A list: people, or values and groups with their colours. */
export const SHOWN_LIST = {
  kind: 'field',
  isEmpty: ({ values = [] }) => itemNames(values).length === 0,
  show: ({ values = [] }) => showItems(values),
  entries: ({ values = [] }) => itemNames(values),
} as const satisfies Partial<FieldType<ListValue>>

/** A person whom the server has set. */
export const SHOWN_PERSON = {
  kind: 'field',
  isEmpty: ({ value }) => itemNames(value ? [value] : []).length === 0,
  show: ({ value }) => showItems(value ? [value] : []),
  entries: ({ value }) => itemNames(value ? [value] : []),
} as const satisfies Partial<FieldType<PersonValue>>

/** Lists send the keys of the chosen values. */
export const LIST_EDITING: Omit<FieldEditing<ListValue>, 'Editor'> = {
  toDraft: ({ field_id }, value) => ({ field_id, bind_value_ids: storedKeys(value) }),
  defaultDraft: (field) => ({
    field_id: field.field_id,
    bind_value_ids: defaultItems(field).flatMap(({ id }) => id ?? []),
  }),
  optimistic(field, draft, stored) {
    const { field_id, type, label } = field
    return {
      field_id,
      type,
      label,
      values: chosenItems(field, draft, stored),
      bind_value_ids: draft.bind_value_ids,
    }
  },
}

/**
 * The selected people, groups or values in the form of a response. The stored value may have more details than the
 * list.
 */
function chosenItems(field: TrackerField, draft: ValueDraft, stored: ListValue | undefined): readonly ListItem[] {
  const known = offeredItems(field).map(
    ({ user_reference: user, ugroup_reference: group, ...value }) =>
      user ?? group ?? { ...value, tlp_color: value.value_color || null },
  )
  const all: readonly ListItem[] = [...(stored?.values ?? []), ...known]
  return draftKeys(draft).flatMap((key) => all.find(({ id }) => id === key) ?? [])
}

export function showItems(items: readonly ListItem[]): ReactNode {
  const people = items.flatMap(toPerson)
  if (people.length === 0) return <ChoiceLabels choices={items.flatMap(toChoice)} />
  return people.map(({ id, name, login }, index) => (
    <Fragment key={id}>
      {index > 0 && ', '}
      <span title={`@${login}`}>{name}</span>
    </Fragment>
  ))
}

export function itemNames(items: readonly ListItem[]): readonly string[] {
  const people = items.flatMap(toPerson)
  return people.length > 0 ? people.map(({ name }) => name) : items.flatMap(toChoice).map(({ label }) => label)
}

/** The anonymous user has no id and is omitted. */
function toPerson({ id, username, real_name, display_name }: ListItem): ShownPerson[] {
  if (typeof id !== 'number' || typeof username !== 'string') return []
  return [{ id, name: real_name || display_name || username, login: username }]
}

function toChoice({ id, label, color, tlp_color }: ListItem): ShownChoice[] {
  if (id === null || id === undefined || label === undefined) return []
  return [{ id, label, color: tlp_color ?? (color ? toHex(color) : undefined) }]
}

function toHex({ r, g, b }: NonNullable<ListItem['color']>): string {
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

export function ChoiceLabels({ choices }: { choices: readonly ShownChoice[] }) {
  return (
    <span className={styles['choices']}>
      {choices.map(({ id, label, color }, index) => (
        <span key={id} className={styles['choice']}>
          <Swatch color={color} />
          {label}
          {index < choices.length - 1 && <Hidden>, </Hidden>}
        </span>
      ))}
    </span>
  )
}
