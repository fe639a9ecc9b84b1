import { Choice, ChoiceGroup, LongTextField, SelectField, TextField } from '../design/field.tsx'
import { text } from './words.ts'
import type { Bind, Element } from './definition.ts'
import { groupLabel, useDraft } from './draft.ts'
import { typeOf } from './element-types.ts'
import { ListValues } from './list-values.tsx'
import { InitialValue } from './initial-value.tsx'
import { Properties, wordsIn } from './properties.tsx'

interface Props {
  readonly element: Element
  readonly isNew?: boolean
  readonly hint?: string | undefined
  readonly onChange: (element: Element) => void
}

export function ElementForm({ element, isNew = false, hint, onChange }: Props) {
  const { canBeRequired, list, kind } = typeOf(element)
  const { bind } = element
  const change = (members: Partial<Element>) => onChange({ ...element, ...members })
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
        <Choice
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
              <Groups
                label={text('bind.sources')}
                chosen={bind.sources ?? []}
                more={[
                  { name: 'artifact_submitters', label: text('bind.submitters') },
                  { name: 'artifact_modifiers', label: text('bind.modifiers') },
                ]}
                isWithout="@anonymous"
                onChange={(sources) => change({ bind: { ...bind, sources } })}
              />
              <Choice
                label={text('elements.notifications')}
                checked={element.notifications}
                onChange={({ target }) => change({ notifications: target.checked })}
              />
            </>
          )}
          {bind.type === 'ugroups' && (
            <Groups
              label={text('bind.groups')}
              chosen={bind.groups ?? []}
              onChange={(groups) => change({ bind: { ...bind, groups } })}
            />
          )}
        </>
      )}
      <InitialValue element={element} onChange={onChange} />
      {element.type === 'staticrichtext' && (
        <LongTextField
          label={text('elements.static')}
          hint={text('elements.static.hint')}
          value={wordsIn(element.properties['static_value'])}
          onChange={({ target }) => change({ properties: { ...element.properties, static_value: target.value } })}
        />
      )}
    </>
  )
}

function emptyBind(type: Bind['type']): Bind {
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

/** Groups of the project, of which any number is chosen. */
export function Groups({ label, chosen, more = [], isWithout, onChange }: GroupsProps) {
  const { groups } = useDraft()
  const known = [...groups.filter(({ name }) => name !== isWithout), ...more]
  const others = chosen.filter((name) => known.every((each) => each.name !== name))
  const offered = [...known, ...others.map((name) => ({ name, label: groupLabel(groups, name) }))]
  return (
    <ChoiceGroup label={label}>
      {offered.map((each) => (
        <Choice
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
