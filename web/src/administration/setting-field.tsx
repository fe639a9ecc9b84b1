import { Choice, LongTextField, SelectField, TextField } from '../design/field.tsx'
import { isText, text } from './words.ts'
import { PROJECT_CREATIONS, REGISTRATIONS, type SettingKind, type SettingName, type Typed } from './settings-fields.ts'

interface Props {
  readonly name: SettingName
  readonly kind: SettingKind
  readonly typed: Typed
  /** By the environment of the server. */
  readonly isFixed: boolean
  readonly error: string | undefined
  readonly onType: (typed: Typed) => void
}

interface Option {
  readonly value: string
  readonly label: string
}

const OPTIONS: Readonly<Record<'registration' | 'project_creation', readonly Option[]>> = {
  registration: REGISTRATIONS.map((value) => ({ value, label: text(`registration.${value}`) })),
  project_creation: PROJECT_CREATIONS.map((value) => ({ value, label: text(`project_creation.${value}`) })),
}

/** One setting, in the form that its kind has. */
export function SettingField({ name, kind, typed, isFixed, error, onType }: Props) {
  const known = `setting.${name}.hint`
  const hint = isFixed ? text('settings.fixed') : isText(known) ? text(known) : undefined
  const shared = { label: text(`setting.${name}`), hint, error }
  const value = String(typed)
  if (kind === 'flag')
    return (
      <Choice
        label={shared.label}
        hint={hint}
        checked={typed === true}
        disabled={isFixed}
        onChange={({ target }) => onType(target.checked)}
      />
    )
  if (kind === 'registration' || kind === 'project_creation')
    return <SelectField {...shared} value={value} options={OPTIONS[kind]} onChange={onType} />
  if (kind === 'long' || kind === 'lines')
    return (
      <LongTextField
        {...shared}
        value={value}
        disabled={isFixed}
        spellCheck={kind === 'long'}
        onChange={({ target }) => onType(target.value)}
      />
    )
  return (
    <TextField
      {...shared}
      value={value}
      disabled={isFixed}
      autoComplete="off"
      {...(kind !== 'text' && { inputMode: 'numeric' })}
      onChange={({ target }) => onType(target.value)}
    />
  )
}
