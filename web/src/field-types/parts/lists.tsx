import type { TrackerField } from '@waypost/sdk/api'
import { Fragment, type ReactNode } from 'react'
import type { ChoiceKey } from '../../artifacts/choices.ts'
import { Hidden } from '../../design/page.tsx'
import { toHue } from '../../design/hue.ts'
import { Avatar } from '../../design/marks.tsx'
import { StatusPill, ValuePill } from '../../design/pill.tsx'
import { PriorityIcon, toPriorityLevel } from '../../design/priority-icon.tsx'
import type { FieldEditing, FieldType, ValueDraft } from '../field-type.ts'
import { defaultItems, type ListItem, type ListValue, offeredItems, type PersonValue } from '../values.ts'
import { draftKeys, storedKeys } from './list-keys.ts'
import { useStatusProgress } from '../status.tsx'
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
  readonly avatar_url: string | undefined
}

/** A list: people, or values and groups with their colours. */
export const SHOWN_LIST = {
  kind: 'field',
  isEmpty: ({ values = [] }) => itemNames(values).length === 0,
  show: ({ values = [], field_id }, field) => showItems(values, field_id, field?.name),
  entries: ({ values = [] }) => itemNames(values),
  people: ({ values = [] }) => values.flatMap(toPerson),
} as const satisfies Partial<FieldType<ListValue>>

/** A person whom the server has set. */
export const SHOWN_PERSON = {
  kind: 'field',
  isEmpty: ({ value }) => itemNames(value ? [value] : []).length === 0,
  show: ({ value }) => showItems(value ? [value] : []),
  entries: ({ value }) => itemNames(value ? [value] : []),
  people: ({ value }) => (value ? toPerson(value) : []),
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

/** `field` and `name` tell the status and the priority from other lists. */
export function showItems(items: readonly ListItem[], field?: number, name?: string): ReactNode {
  const people = items.flatMap(toPerson)
  if (people.length === 0) return <ChoiceLabels choices={items.flatMap(toChoice)} field={field} name={name} />
  return (
    <span className={styles['people']} data-many={people.length > 1}>
      {people.map((person, index) => (
        <span key={person.id} className={styles['person']} title={people.length > 1 ? person.name : `@${person.login}`}>
          <Avatar person={person} size={20} />
          {people.length > 1 ? <Hidden>{person.name}</Hidden> : <span className={styles['name']}>{person.name}</span>}
          {index < people.length - 1 && <Hidden>, </Hidden>}
        </span>
      ))}
    </span>
  )
}

export function itemNames(items: readonly ListItem[]): readonly string[] {
  const people = items.flatMap(toPerson)
  return people.length > 0 ? people.map(({ name }) => name) : items.flatMap(toChoice).map(({ label }) => label)
}

/** The anonymous user has no id and is omitted. */
function toPerson({ id, username, real_name, display_name, avatar_url }: ListItem): ShownPerson[] {
  if (typeof id !== 'number' || typeof username !== 'string') return []
  return [{ id, name: real_name || display_name || username, login: username, avatar_url }]
}

function toChoice({ id, label, color, tlp_color }: ListItem): ShownChoice[] {
  if (id === null || id === undefined || label === undefined) return []
  return [{ id, label, color: tlp_color ?? (color ? toHex(color) : undefined) }]
}

function toHex({ r, g, b }: NonNullable<ListItem['color']>): string {
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

interface ChoiceLabelsProps {
  readonly choices: readonly ShownChoice[]
  readonly field?: number | undefined
  readonly name?: string | undefined
}

export function ChoiceLabels({ choices, field, name }: ChoiceLabelsProps) {
  return (
    <span className={styles['choices']}>
      {choices.map((choice, index) => (
        <Fragment key={choice.id}>
          <ChoiceLabel choice={choice} field={field} name={name} />
          {index < choices.length - 1 && <Hidden>, </Hidden>}
        </Fragment>
      ))}
    </span>
  )
}

const PRIORITY_FIELD = 'priority'

/** One value of a list: the status with its progress, the priority with its bars, others in their colour. */
export function ChoiceLabel({ choice, field, name }: Omit<ChoiceLabelsProps, 'choices'> & { choice: ShownChoice }) {
  const progressOf = useStatusProgress(field)
  const { id, label, color } = choice
  if (progressOf)
    return (
      <StatusPill hue={toHue(color)} progress={progressOf(id)}>
        {label}
      </StatusPill>
    )
  const level = name === PRIORITY_FIELD ? toPriorityLevel(label) : undefined
  if (level)
    return (
      <span className={styles['choice']}>
        <PriorityIcon level={level} />
        {label}
      </span>
    )
  return <ValuePill hue={toHue(color)}>{label}</ValuePill>
}
