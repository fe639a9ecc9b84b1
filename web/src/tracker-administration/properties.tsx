import { ChoiceInput, LongTextField, TextField } from '../design/field.tsx'
import { fieldType } from '../field-types/field-types.ts'
import type { FormElement } from './definition.ts'
import { isText, text } from './messages.ts'

/** The settings of an element. */
export function Properties({ element, onChange }: { element: FormElement; onChange: (element: FormElement) => void }) {
  const { properties } = element
  const set = (name: string, value: unknown) => onChange({ ...element, properties: { ...properties, [name]: value } })
  const { settings = [] } = fieldType(element)
  return settings.map(({ name, kind, isSetByDefault = false }) => {
    const label = propertyText(name)
    const value = properties[name]
    if (kind === 'flag')
      return (
        <ChoiceInput
          key={name}
          label={label ?? name}
          checked={isSet(value ?? isSetByDefault)}
          onChange={({ target }) => set(name, target.checked)}
        />
      )
    if (kind === 'paragraph')
      return (
        <LongTextField
          key={name}
          label={label ?? text('elements.static')}
          hint={text('elements.static.hint')}
          value={toDisplayText(value)}
          onChange={({ target }) => set(name, target.value)}
        />
      )
    return (
      <TextField
        key={name}
        label={label ?? name}
        {...(kind === 'count' && { type: 'number', min: 0, hint: text('elements.property.maxchars.hint') })}
        value={toDisplayText(value ?? (kind === 'count' ? 0 : ''))}
        onChange={({ target }) => set(name, kind === 'count' ? Number(target.value) : target.value)}
      />
    )
  })
}

function propertyText(name: string): string | undefined {
  const key = `elements.property.${name}`
  return isText(key) ? text(key) : undefined
}

/** Accepts also the notation of Tuleap. */
export function isSet(value: unknown): boolean {
  return value === true || value === 1 || value === '1'
}

/** The text of a string or a number; empty for other types. */
export function toDisplayText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
