import { ChoiceInput, ChoiceGroup, SelectField, TextField } from '../design/field.tsx'
import { fieldType } from '../field-types/field-types.ts'
import { text } from './messages.ts'
import type { ListBind, FormElement } from './definition.ts'
import { groupLabel, useDraft } from './draft.ts'
import { ListValues } from './list-values.tsx'
import { InitialValue } from './initial-value.tsx'
import { Properties } from './properties.tsx'

interface Props {
  readonly element: FormElement
  readonly isNew?: boolean
  readonly hint?: string | undefined
  readonly onChange: (element: FormElement) => void
}

export function ElementForm({ element, isNew = false, hint, onChange }: Props) {
  const { canBeRequired, list, kind } = fieldType(element)
  const { bind } = element
  const change = (members: Partial<FormElement>) => onChange({ ...element, ...members })
  return (
    <>
      <TextField
        label={text('elements.label')}
        hint={hint}
        value={element.label}
        maxLength={255}
        required={kind !== 'static'}
        onChange={({ target }) => change({ label: target.value })}
      />
      <TextField
        label={text('elements.description')}
        hint={text('elements.description.hint')}
        value={element.description}
        onChange={({ target }) => change({ description: target.value })}
      />
      {canBeRequired && (
        <ChoiceInput
          label={text('elements.required')}
          hint={text('elements.required.hint')}
          checked={element.required}
          onChange={({ target }) => change({ required: target.checked })}
        />
      )}
      <Properties element={element} onChange={onChange} />
      {list && element.shared_from !== null && <p>{text('elements.shared.values', { from: element.shared_from })}</p>}
      {bind && element.shared_from === null && (
        <>
          {isNew && (
            <SelectField
              label={text('bind.type')}
              value={bind.type}
              options={(['static', 'users', 'ugroups'] as const).map((value) => ({
                value,
                label: text(`bind.type.${value}`),
              }))}
              onChange={(type) => change({ bind: emptyBind(type), notifications: false })}
            />
          )}
          {bind.type === 'static' && <ListValues bind={bind} onChange={(next) => change({ bind: next })} />}
          {bind.type === 'users' && (
            <>
              <GroupChoices
                label={text('bind.sources')}
                chosen={bind.sources ?? []}
                more={[
                  { name: 'artifact_submitters', label: text('bind.submitters') },
                  { name: 'artifact_modifiers', label: text('bind.modifiers') },
                ]}
                isWithout="@anonymous"
                onChange={(sources) => change({ bind: { ...bind, sources } })}
              />
              <ChoiceInput
                label={text('elements.notifications')}
                checked={element.notifications}
                onChange={({ target }) => change({ notifications: target.checked })}
              />
            </>
          )}
          {bind.type === 'ugroups' && (
            <GroupChoices
              label={text('bind.groups')}
              chosen={bind.groups ?? []}
              onChange={(groups) => change({ bind: { ...bind, groups } })}
            />
          )}
        </>
      )}
      <InitialValue element={element} onChange={onChange} />
    </>
  )
}

function emptyBind(type: ListBind['type']): ListBind {
  if (type === 'static') return { type, alphabetical: false, values: [], default: [] }
  if (type === 'users') return { type, sources: ['@members'], default: [] }
  return { type, groups: ['@members'], default: [] }
}

interface GroupsProps {
  readonly label: string
  readonly chosen: readonly string[]
  readonly more?: readonly { readonly name: string; readonly label: string }[]
  readonly isWithout?: string
  readonly onChange: (chosen: string[]) => void
}

/** A multiple choice of groups of the project. */
export function GroupChoices({ label, chosen, more = [], isWithout, onChange }: GroupsProps) {
  const { groups } = useDraft()
  const known = [...groups.filter(({ name }) => name !== isWithout), ...more]
  const others = chosen.filter((name) => known.every((each) => each.name !== name))
  const offered = [...known, ...others.map((name) => ({ name, label: groupLabel(groups, name) }))]
  return (
    <ChoiceGroup label={label}>
      {offered.map((each) => (
        <ChoiceInput
          key={each.name}
          label={each.label}
          checked={chosen.includes(each.name)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, each.name] : chosen.filter((name) => name !== each.name))
          }
        />
      ))}
    </ChoiceGroup>
  )
}
