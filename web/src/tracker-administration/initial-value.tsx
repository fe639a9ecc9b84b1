import { ChoiceInput, ChoiceGroup, LongTextField, SelectField, TextField } from '../design/field.tsx'
import { fieldType } from '../field-types/field-types.ts'
import { text } from './messages.ts'
import type { FormElement } from './definition.ts'
import { isSet, toDisplayText } from './properties.tsx'

const NONE = ''

/** The default value of a field in new artifacts. */
export function InitialValue({
  element,
  onChange,
}: {
  element: FormElement
  onChange: (element: FormElement) => void
}) {
  const { initial, list, numberStep = 'any' } = fieldType(element)
  const { bind } = element
  const label = text('elements.initial')
  const given = toDisplayText(element.default)
  const set = (value: unknown) => onChange({ ...element, default: value })
  if (bind?.type === 'static' && element.shared_from === null) {
    const offered = bind.values.filter(({ hidden }) => !hidden)
    const choose = (chosen: readonly string[]) => onChange({ ...element, bind: { ...bind, default: chosen } })
    if (offered.length === 0) return null
    if (list === 'one')
      return (
        <SelectField
          label={label}
          value={bind.default[0] ?? NONE}
          options={[
            { value: NONE, label: text('administration.nothing') },
            ...offered.map(({ key, label: value }) => ({ value: key, label: value })),
          ]}
          onChange={(key) => choose(key === NONE ? [] : [key])}
        />
      )
    return (
      <ChoiceGroup label={label}>
        {offered.map(({ key, label: value }) => (
          <ChoiceInput
            key={key}
            label={value}
            checked={bind.default.includes(key)}
            onChange={({ target }) =>
              choose(target.checked ? [...bind.default, key] : bind.default.filter((each) => each !== key))
            }
          />
        ))}
      </ChoiceGroup>
    )
  }
  if (initial === 'paragraph')
    return <LongTextField label={label} value={given} onChange={({ target }) => set(target.value || null)} />
  if (initial === 'line')
    return <TextField label={label} value={given} onChange={({ target }) => set(target.value || null)} />
  if (initial === 'number')
    return (
      <TextField
        label={label}
        type="number"
        step={numberStep}
        value={given}
        onChange={({ target }) => set(target.value === '' ? null : Number(target.value))}
      />
    )
  if (initial === 'day') return <InitialDay label={label} element={element} given={given} onSet={set} />
  return null
}

const TODAY = 'today'
const DAY = 'day'

interface DayProps {
  readonly label: string
  readonly element: FormElement
  readonly given: string
  readonly onSet: (value: string | null) => void
}

function InitialDay({ label, element, given, onSet }: DayProps) {
  const chosen = given === '' ? NONE : given === TODAY ? TODAY : DAY
  const isTimed = isSet(element.properties['display_time'])
  const options = [
    { value: NONE, label: text('administration.nothing') },
    { value: TODAY, label: text('elements.initial.today') },
    { value: DAY, label: text('elements.initial.day') },
  ]
  const now = () => new Date().toISOString().slice(0, 10)
  return (
    <>
      <SelectField
        label={label}
        value={chosen}
        options={options}
        onChange={(value) => onSet(value === NONE ? null : value === TODAY ? TODAY : now())}
      />
      {chosen === DAY && (
        <TextField
          label={text('elements.initial.which')}
          type={isTimed ? 'datetime-local' : 'date'}
          value={isTimed ? given.replace(' ', 'T').padEnd(16, 'T00:00') : given.slice(0, 10)}
          required
          onChange={({ target }) => onSet(target.value.replace('T', ' ') || now())}
        />
      )}
    </>
  )
}
