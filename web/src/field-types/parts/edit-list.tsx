import { useQueries, useQuery } from '@tanstack/react-query'
import type { TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import { type ChoiceKey, isWorkflowField, listChoices, offeredChoices } from '../../artifacts/choices.ts'
import { text } from '../../artifacts/messages.ts'
import { peopleQuery, personQuery } from '../../artifacts/people-query.ts'
import { Pick } from '../../artifacts/pick.tsx'
import { ChoiceGroup, ChoiceInput, SelectField } from '../../design/field.tsx'
import type { EditorProps } from '../field-type.ts'
import { draftKeys, storedKeys } from './list-keys.ts'

/** Longer lists get a search field. */
const MAX_VISIBLE_CHOICES = 12

/** Lists of all registered people contain no values. */
export function isAllPeople(field: TrackerField): boolean {
  return isPeopleList(field) && listChoices(field).length === 0
}

export function isManyPeople(field: TrackerField): boolean {
  return isPeopleList(field) && listChoices(field).length > MAX_VISIBLE_CHOICES
}

/** All values can be visible. People are always searched. */
export function isShort(field: TrackerField): boolean {
  return !isPeopleList(field) && listChoices(field).length <= MAX_VISIBLE_CHOICES
}

function isPeopleList({ bindings }: TrackerField): boolean {
  return bindings.type === 'users'
}

type ListEditorProps = EditorProps & { readonly isOne?: boolean }

function offered({ tracker, field, stored, chosen = () => [] }: EditorProps) {
  return offeredChoices({ tracker, field, stored: storedKeys(stored), chosen })
}

function mayBeEmpty({ tracker, field }: EditorProps): boolean {
  return !field.required && !isWorkflowField(tracker, field)
}

const NOTHING = ''

export function EditOne(props: EditorProps) {
  const { field, draft, onChange, frame } = props
  const { field_id } = field
  const [chosen] = draftKeys(draft)
  const choices = offered(props)
  const options = choices.map((choice) => ({ value: String(choice.key), label: choice.label }))
  const nothing = { value: NOTHING, label: text('edit.nothing') }
  return (
    <SelectField
      {...frame}
      value={String(chosen ?? NOTHING)}
      options={mayBeEmpty(props) || chosen === undefined ? [nothing, ...options] : options}
      onChange={(value) => {
        const picked = choices.find(({ key }) => String(key) === value)
        onChange({ field_id, bind_value_ids: picked ? [picked.key] : [] })
      }}
    />
  )
}

/** A short list whose values are all visible. */
export function EditVisibleChoices({ isOne = false, ...props }: ListEditorProps) {
  const { field, draft, onChange, label, hint, error, isBare, autoFocus } = props
  const { field_id } = field
  const chosen = draftKeys(draft)
  const choose = (keys: readonly ChoiceKey[]) => onChange({ field_id, bind_value_ids: keys })
  return (
    <ChoiceGroup label={label} hint={hint} error={error} isBare={isBare}>
      {isOne && mayBeEmpty(props) && (
        <ChoiceInput
          type="radio"
          name={field.name}
          label={text('edit.nothing')}
          checked={chosen.length === 0}
          onChange={() => choose([])}
        />
      )}
      {offered(props).map(({ key, label: name }, index) => (
        <ChoiceInput
          key={key}
          type={isOne ? 'radio' : 'checkbox'}
          name={field.name}
          label={name}
          autoFocus={autoFocus === true && (isOne && chosen.length > 0 ? chosen.includes(key) : index === 0)}
          checked={chosen.includes(key)}
          onChange={({ target }) =>
            choose(isOne ? [key] : target.checked ? [...chosen, key] : chosen.filter((each) => each !== key))
          }
        />
      ))}
    </ChoiceGroup>
  )
}

export function EditByTyping({ isOne = false, ...props }: ListEditorProps) {
  const { field, draft, onChange, frame } = props
  const { field_id } = field
  const chosen = draftKeys(draft)
  const known = listChoices(field)
  return (
    <Pick
      {...frame}
      chosen={chosen.map((key) => known.find((choice) => choice.key === key) ?? { key, label: String(key) })}
      options={offered(props)}
      onAdd={({ key }) => onChange({ field_id, bind_value_ids: isOne ? [key] : [...chosen, key] })}
      onRemove={(key) => onChange({ field_id, bind_value_ids: chosen.filter((each) => each !== key) })}
    />
  )
}

/** A search over all accounts. */
export function EditPeople({ field, draft, onChange, frame, isOne = false }: ListEditorProps) {
  const { field_id } = field
  const [typed, setTyped] = useState('')
  const { data: people = [] } = useQuery(peopleQuery(typed.trim()))
  const chosen = draftKeys(draft)
  const named = useQueries({ queries: chosen.map((key) => personQuery(Number(key))) })
  return (
    <Pick
      {...frame}
      chosen={chosen.map((key, index) => ({ key, label: named[index]?.data?.display_name ?? String(key) }))}
      options={people.flatMap(pickable)}
      onTyped={setTyped}
      onAdd={({ key }) => onChange({ field_id, bind_value_ids: isOne ? [key] : [...chosen, key] })}
      onRemove={(key) => onChange({ field_id, bind_value_ids: chosen.filter((each) => each !== key) })}
    />
  )
}

export function pickable({
  id,
  display_name,
  username,
}: {
  id: number | null
  display_name: string
  username: string | null
}) {
  return id === null ? [] : [{ key: id, label: display_name, detail: username ?? undefined }]
}
