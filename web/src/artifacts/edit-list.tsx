import { useQueries, useQuery } from '@tanstack/react-query'
import type { TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import { Choice, ChoiceGroup, SelectField } from '../design/field.tsx'
import { text } from './words.ts'
import { type ChoiceKey, choicesOf, isWorkflowField, offeredChoices } from './choices.ts'
import { draftKeys, storedKeys } from './draft.ts'
import type { EditorProps } from './edit-value.tsx'
import { isRecord, keyIn, recordsIn, textIn } from './loose.ts'
import { peopleQuery, personQuery } from './people-query.ts'
import { Pick, type Pickable } from './pick.tsx'

/** More than this is found by typing, not by looking. */
const IN_SIGHT = 12

export function EditList(props: EditorProps) {
  const { field } = props
  const isPeople = field.bindings.type === 'users'
  const count = choicesOf(field).length
  // Lists of all registered people name none of them.
  if (isPeople && count === 0) return <EditPeople {...props} />
  if (field.type === 'cb' || field.type === 'rb') return <EditInSight {...props} />
  if (field.type === 'sb' && !(isPeople && count > IN_SIGHT)) return <EditOne {...props} />
  return count > IN_SIGHT || isPeople ? <EditByTyping {...props} /> : <EditInSight {...props} />
}

function offered({ tracker, field, stored, chosen = () => [] }: EditorProps) {
  return offeredChoices({ tracker, field, stored: storedKeys(stored), chosen })
}

function mayBeEmpty({ tracker, field }: EditorProps): boolean {
  return !field.required && !isWorkflowField(tracker, field)
}

const NOTHING = ''

function EditOne(props: EditorProps) {
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

/** Few values, all of them in sight. */
function EditInSight(props: EditorProps) {
  const { field, draft, onChange, label, hint, error, isBare, autoFocus } = props
  const { field_id } = field
  const chosen = draftKeys(draft)
  const isOne = field.type === 'rb' || field.type === 'sb'
  const choose = (keys: readonly ChoiceKey[]) => onChange({ field_id, bind_value_ids: keys })
  return (
    <ChoiceGroup label={label} hint={hint} error={error} isBare={isBare}>
      {isOne && mayBeEmpty(props) && (
        <Choice
          type="radio"
          name={field.name}
          label={text('edit.nothing')}
          checked={chosen.length === 0}
          onChange={() => choose([])}
        />
      )}
      {offered(props).map(({ key, label: name }, index) => (
        <Choice
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

function EditByTyping(props: EditorProps) {
  const { field, draft, onChange, frame } = props
  const { field_id } = field
  const chosen = draftKeys(draft)
  const isOne = field.type === 'sb'
  const known = choicesOf(field)
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

/** Anybody who has an account. */
function EditPeople({ field, draft, onChange, frame }: EditorProps) {
  const { field_id } = field
  const [typed, setTyped] = useState('')
  const { data: people = [] } = useQuery(peopleQuery(typed.trim()))
  const chosen = draftKeys(draft)
  const isOne = field.type === 'sb' || field.type === 'rb'
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

function pickable({
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

/** Known values and new ones; of people and groups, only those that there are. */
export function EditOpenList({ field, draft, onChange, frame }: EditorProps) {
  const { field_id } = field
  const [typed, setTyped] = useState('')
  const isPeople = field.bindings.type === 'users'
  const { data: people = [] } = useQuery({ ...peopleQuery(typed.trim()), enabled: isPeople && typed.trim().length > 1 })
  const { value } = draft
  const objects = recordsIn(isRecord(value) ? value['bind_value_objects'] : undefined)
  const change = (bind_value_objects: readonly object[]) => onChange({ field_id, value: { bind_value_objects } })
  const chosen = objects.map((each) => ({ key: keyOf(each), label: textIn(each['label']) }))
  return (
    <Pick
      {...frame}
      placeholder={field.hint || undefined}
      chosen={chosen}
      options={isPeople ? people.flatMap(pickable) : knownIn(field)}
      {...(isPeople && { onTyped: setTyped })}
      {...(field.bindings.type === 'static' && { onNew: (name: string) => change([...objects, { label: name }]) })}
      onAdd={({ key, label: name }) => change([...objects, { id: key, label: name }])}
      onRemove={(key) => change(objects.filter((each) => keyOf(each) !== key))}
    />
  )
}

function keyOf({ id, label }: Record<string, unknown>): ChoiceKey {
  return keyIn(id) ?? textIn(label)
}

function knownIn({ values }: TrackerField): readonly Pickable[] {
  return recordsIn(values).flatMap(({ id, label, is_hidden }) => {
    const key = keyIn(id)
    return key === undefined || is_hidden === true ? [] : [{ key, label: textIn(label) }]
  })
}
