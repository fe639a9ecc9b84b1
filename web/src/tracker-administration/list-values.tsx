import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { ChoiceInput, SelectField, TextField } from '../design/field.tsx'
import { Swatch } from '../design/swatch.tsx'
import { text } from './messages.ts'
import type { DefinedListValue, StaticListBind } from './definition.ts'
import styles from './list-values.module.css'
import { toElementName } from './names.ts'

/** The palette, as the server has it. */
export const COLOR_NAMES =
  `inca-silver chrome-silver firemist-silver red-wine fiesta-red coral-pink teddy-brown clockwork-orange graffiti-yellow
  army-green neon-green acid-green sherwood-green ocean-turquoise surf-green deep-blue lake-placid-blue daphne-blue
  plum-crazy ultra-violet lilac-purple panther-pink peggy-pink flamingo-pink`.split(/\s+/)

interface Props {
  readonly bind: StaticListBind
  readonly onChange: (bind: StaticListBind) => void
}

/** The values of a list in their order. A retired value stays on artifacts that have it. */
export function ListValues({ bind, onChange }: Props) {
  const [added, setAdded] = useState('')
  const { values } = bind
  const set = (next: readonly DefinedListValue[]) => onChange({ ...bind, values: next })
  const change = (at: number, members: Partial<DefinedListValue>) =>
    set(values.map((value, index) => (index === at ? { ...value, ...members } : value)))
  const add = () => {
    const label = added.trim()
    if (label === '') return
    const key = toElementName(label, 'value', new Set(values.map((value) => value.key)))
    set([...values, { key, label, description: '', color: null, hidden: false }])
    setAdded('')
  }
  return (
    <fieldset className={styles['values']}>
      <legend>{text('values.title')}</legend>
      {values.length > 0 && (
        <ol>
          {values.map((value, at) => (
            <li key={value.key} className={styles['value']}>
              <TextField
                label={text('values.label', { place: at + 1 })}
                isBare
                value={value.label}
                required
                maxLength={255}
                onChange={({ target }) => change(at, { label: target.value })}
              />
              <span className={styles['color']}>
                <Swatch color={value.color ?? 'none'} />
                <SelectField
                  label={text('values.color', { name: value.label })}
                  isBare
                  value={value.color ?? ''}
                  options={colorsWith(value.color)}
                  onChange={(color) => change(at, { color: color === '' ? null : color })}
                />
              </span>
              <ChoiceInput
                label={text('values.offered')}
                aria-label={text('values.offered_what', { name: value.label })}
                checked={!value.hidden}
                onChange={({ target }) => change(at, { hidden: !target.checked })}
              />
              <span className={styles['steps']}>
                <Button
                  kind="quiet"
                  isDisabled={at === 0}
                  aria-label={text('elements.up', { name: value.label })}
                  onPress={() => set(values.with(at, values[at - 1] ?? value).with(at - 1, value))}
                >
                  <span aria-hidden>↑</span>
                </Button>
                <Button
                  kind="quiet"
                  isDisabled={at === values.length - 1}
                  aria-label={text('elements.down', { name: value.label })}
                  onPress={() => set(values.with(at, values[at + 1] ?? value).with(at + 1, value))}
                >
                  <span aria-hidden>↓</span>
                </Button>
              </span>
            </li>
          ))}
        </ol>
      )}
      <div className={styles['add']}>
        <TextField
          label={text('values.new')}
          value={added}
          maxLength={255}
          onChange={({ target }) => setAdded(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <Button onPress={add}>{text('values.add')}</Button>
      </div>
    </fieldset>
  )
}

/** A custom colour is offered besides the palette. */
function colorsWith(color: string | null) {
  const names = color === null || COLOR_NAMES.includes(color) ? COLOR_NAMES : [color, ...COLOR_NAMES]
  return [
    { value: '', label: text('values.no_color') },
    ...names.map((name) => ({ value: name, label: name.replaceAll('-', ' ') })),
  ]
}
