import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { useRef, useState } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { useSession } from '../accounts/session.ts'
import { toHue } from '../design/hue.ts'
import { Avatar } from '../design/marks.tsx'
import { PickList, type PickOption } from '../design/pick-list.tsx'
import styles from '../design/pick-list.module.css'
import { StatusGlyph } from '../design/pill.tsx'
import { PriorityIcon, toPriorityLevel } from '../design/priority-icon.tsx'
import { isSameDraft, toDraft } from '../field-types/drafts.ts'
import type { ValueDraft } from '../field-types/field-type.ts'
import { fieldType } from '../field-types/field-types.ts'
import { isAllPeople } from '../field-types/parts/edit-list.tsx'
import { storedKeys } from '../field-types/parts/list-keys.ts'
import { statusOf } from '../field-types/status.tsx'
import { offeredItems } from '../field-types/values.ts'
import { type OpenArtifact, fieldValue } from './artifact-queries.ts'
import { type ChoiceKey, isWorkflowField, listChoices, offeredChoices } from './choices.ts'
import { dayOptions } from './day-options.ts'
import { text } from './messages.ts'
import { MIN_PERSON_LETTERS, peopleQuery } from './people-query.ts'
import { whyNotStep } from './steps.ts'
import { MAX_TRIED_STEPS, triedStepsQuery } from './try-steps.ts'
import type { TrackerField } from '@waypost/sdk/api'

interface Props {
  readonly open: OpenArtifact
  readonly field: TrackerField
  /** The element beside which it opens. */
  readonly anchor: RefObject<Element | null>
  readonly onPick: (draft: ValueDraft) => void
  readonly onClose: () => void
}

const NOTHING = 'nothing'

/** A popover with the values of one field of an artifact; picking one writes it. */
export function ValuePicker({ open, field, anchor, onPick, onClose }: Props) {
  const kind = fieldType(field).picker
  const isMany = fieldType(field).list === 'many'
  const stored = storedKeys(fieldValue(open.artifact, field.field_id))
  const [typed, setTyped] = useState('')
  const toggled = useRef<readonly string[]>(undefined)
  const lists = useListOptions(open, field, typed)
  const days = dayOptions(typed)
  const options = kind === 'day' ? days : lists.options
  const mayBeEmpty = !field.required && !isWorkflowField(open.tracker, field) && !isMany
  const nothing = { id: NOTHING, label: text('edit.nothing') }
  const give = (ids: readonly string[]) => {
    const draft =
      kind === 'day'
        ? { field_id: field.field_id, value: ids[0] === NOTHING ? '' : (ids[0] ?? '') }
        : { field_id: field.field_id, bind_value_ids: ids.flatMap((id) => lists.keys.get(id) ?? []) }
    onClose()
    if (!isSameDraft(draft, toDraft(field, fieldValue(open.artifact, field.field_id)))) onPick(draft)
  }
  return (
    <Popover
      isOpen
      triggerRef={anchor}
      placement="bottom start"
      offset={4}
      aria-label={field.label}
      className={String(styles['popover'])}
      onOpenChange={(isOpen) => {
        if (isOpen) return
        // A click outside of a list of many applies it; Escape does not.
        if (toggled.current) give(toggled.current)
        else onClose()
      }}
    >
      <div
        onKeyDown={(event) => {
          if (event.key === 'Escape') toggled.current = undefined
        }}
      >
        <PickList
          label={field.label}
          placeholder={text(kind === 'day' ? 'pick.day' : 'pick.change', { field: field.label })}
          options={mayBeEmpty && typed === '' ? [...options, nothing] : options}
          chosen={kind === 'day' ? [] : stored.map(String)}
          isMany={isMany}
          {...((kind === 'day' || isAllPeople(field)) && { onTyped: setTyped })}
          onPick={give}
          onToggled={(ids) => {
            toggled.current = ids
          }}
        />
      </div>
    </Popover>
  )
}

interface ListOptions {
  readonly options: readonly PickOption[]
  readonly keys: ReadonlyMap<string, ChoiceKey>
}

/** All values of a list; those that the workflow or another field forbids now say so. */
function useListOptions(open: OpenArtifact, field: TrackerField, typed: string): ListOptions {
  const { artifact, tracker } = open
  const { data: session } = useSession()
  const { data: people = [] } = useQuery({
    ...peopleQuery(typed.trim()),
    enabled: isAllPeople(field) && typed.trim().length >= MIN_PERSON_LETTERS,
  })
  const stored = storedKeys(fieldValue(artifact, field.field_id))
  const isPeople = field.bindings.type === 'users'
  const status = statusOf(tracker)
  const progressOf = status?.fieldId === field.field_id ? status.progressOf : undefined
  const found = people.flatMap(({ id, display_name: label }) => (id === null ? [] : [{ key: id, label }]))
  const known = listChoices(field).filter(({ key, isHidden }) => !isHidden || stored.includes(key))
  const choices: readonly { key: ChoiceKey; label: string }[] = isAllPeople(field) ? found : known
  const chosen = (id: number) => storedKeys(fieldValue(artifact, id))
  const offered = new Set(offeredChoices({ tracker, field, stored, chosen }).map(({ key }) => key))
  const colors = new Map(offeredItems(field).map(({ id, value_color: color }) => [id, color]))
  const avatars = new Map([
    ...offeredItems(field).map(({ id, user_reference: user }) => [user?.id ?? id, user?.avatar_url] as const),
    ...people.map(({ id, avatar_url: url }) => [id, url] as const),
  ])
  const tried = useTriedSteps(
    open,
    field,
    known.map(({ key }) => key),
  )
  const whyNot = (key: ChoiceKey) => {
    if (isAllPeople(field) || stored.includes(key)) return undefined
    const check = tried?.get(key)
    return check || offered.has(key) ? check?.whyNot : whyNotStep(tracker, field, artifact, key)
  }
  const options = choices.map(({ key, label }) => ({
    id: String(key),
    label,
    mark: isPeople ? (
      <Avatar person={{ id: Number(key), name: label, avatar_url: avatars.get(key) }} />
    ) : (
      <ChoiceMark hue={colors.get(key)} label={label} name={field.name} progress={progressOf?.(key)} />
    ),
    whyNot: whyNot(key),
    note: tried?.get(key)?.note,
  }))
  const mine = String(session?.user.id ?? '')
  return {
    options: isPeople ? options.toSorted((one, other) => Number(other.id === mine) - Number(one.id === mine)) : options,
    keys: new Map([...choices.map(({ key }) => key), ...stored].map((key) => [String(key), key])),
  }
}

/** Steps of the workflow may be for certain groups only, which the server knows. */
function useTriedSteps(open: OpenArtifact, field: TrackerField, choices: readonly ChoiceKey[]) {
  const { artifact, tracker } = open
  const stored = storedKeys(fieldValue(artifact, field.field_id))
  const keys = choices.filter((key) => !stored.includes(key))
  const { data } = useQuery({
    ...triedStepsQuery(artifact.id, field, keys, open),
    enabled: isWorkflowField(tracker, field) && keys.length > 0 && keys.length <= MAX_TRIED_STEPS,
  })
  return data
}

interface ChoiceMarkProps {
  readonly hue: string | undefined
  readonly label: string
  readonly name: string
  readonly progress: Parameters<typeof StatusGlyph>[0]['progress'] | undefined
}

function ChoiceMark({ hue, label, name, progress }: ChoiceMarkProps) {
  if (progress !== undefined)
    return (
      <span data-hue={toHue(hue)}>
        <StatusGlyph progress={progress} />
      </span>
    )
  const level = name === 'priority' ? toPriorityLevel(label) : undefined
  if (level) return <PriorityIcon level={level} />
  return <span className={styles['dot']} data-hue={toHue(hue)} />
}
