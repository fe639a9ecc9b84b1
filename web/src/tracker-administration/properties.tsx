import { Choice, TextField } from '../design/field.tsx'
import { text } from './words.ts'
import type { Element } from './definition.ts'

/** The settings of a type that people choose; the others keep what they have. */
const SETTINGS = {
  string: [{ name: 'maxchars', kind: 'count' }],
  int: [{ name: 'maxchars', kind: 'count' }],
  date: [{ name: 'display_time', kind: 'flag' }],
  tbl: [{ name: 'hint', kind: 'line' }],
  computed: [{ name: 'target_field_name', kind: 'line' }],
  art_link: [{ name: 'can_edit_reverse_links', kind: 'flag' }],
} as const

function settingsOf(type: string) {
  return Object.entries(SETTINGS).find(([each]) => each === type)?.[1] ?? []
}

export function Properties({ element, onChange }: { element: Element; onChange: (element: Element) => void }) {
  const { properties } = element
  const set = (name: string, value: unknown) => onChange({ ...element, properties: { ...properties, [name]: value } })
  return settingsOf(element.type).map(({ name, kind }) => {
    const label = text(`elements.property.${name}`)
    const value = properties[name]
    if (kind === 'flag')
      return (
        <Choice
          key={name}
          label={label}
          checked={isSet(value ?? name === 'can_edit_reverse_links')}
          onChange={({ target }) => set(name, target.checked)}
        />
      )
    return (
      <TextField
        key={name}
        label={label}
        {...(kind === 'count' && { type: 'number', min: 0, hint: text('elements.property.maxchars.hint') })}
        value={wordsIn(value ?? (kind === 'count' ? 0 : ''))}
        onChange={({ target }) => set(name, kind === 'count' ? Number(target.value) : target.value)}
      />
    )
  })
}

/** Also as the original writes it. */
export function isSet(value: unknown): boolean {
  return value === true || value === 1 || value === '1'
}

/** A text or a number, for people; whatever else it may be has no words. */
export function wordsIn(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
