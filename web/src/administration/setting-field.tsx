import { ChoiceInput, LongTextField, SelectField, TextField } from '../design/field.tsx'
import { isText, text } from './messages.ts'
import { CHOICES, type SettingKind, type SettingName, type Typed } from './settings-fields.ts'

interface Props {
  readonly name: SettingName
  readonly kind: SettingKind
  readonly typed: Typed
  /** Set by the environment of the server, so it cannot be edited. */
  readonly isFixed: boolean
  readonly error: string | undefined
  readonly onType: (typed: Typed) => void
}

interface Option {
  readonly value: string
  readonly label: string
}

const OPTIONS: Readonly<Record<keyof typeof CHOICES, readonly Option[]>> = {
  registration: CHOICES.registration.map((value) => ({ value, label: text(`registration.${value}`) })),
  project_creation: CHOICES.project_creation.map((value) => ({ value, label: text(`project_creation.${value}`) })),
  who_may_invite: CHOICES.who_may_invite.map((value) => ({ value, label: text(`who_may_invite.${value}`) })),
  password_sign_in: CHOICES.password_sign_in.map((value) => ({ value, label: text(`password_sign_in.${value}`) })),
}

/** The input for one setting, by its kind. */
export function SettingField({ name, kind, typed, isFixed, error, onType }: Props) {
  const known = `setting.${name}.hint`
  const hint = isFixed ? text('settings.fixed') : isText(known) ? text(known) : undefined
  const shared = { label: text(`setting.${name}`), hint, error }
  const value = String(typed)
  if (kind === 'flag')
    return (
      <ChoiceInput
        label={shared.label}
        hint={hint}
        checked={typed === true}
        disabled={isFixed}
        onChange={({ target }) => onType(target.checked)}
      />
    )
  if (
    kind === 'registration' ||
    kind === 'project_creation' ||
    kind === 'who_may_invite' ||
    kind === 'password_sign_in'
  )
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
