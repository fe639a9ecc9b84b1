import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { Choice, ChoiceGroup, SelectField, TextField } from '../design/field.tsx'
import { text } from './words.ts'
import styles from './toolbar.module.css'
import { literalsOf, operatorsOf, searched } from './tql/complete.ts'
import { quoted } from './tql/tokens.ts'

const EMPTY = '= ""'
const FILLED = '!= ""'
const NUMBERS = ['int', 'float', 'aid', 'atid']
const DATES = ['date', 'subon', 'lud']
const ALWAYS_FILLED = ['subby', 'luby', 'subon', 'lud', 'aid', 'atid']

interface Props {
  tracker: Tracker
  onAdd: (term: string) => void
  onClose: () => void
}

/** A condition by a form, for those who do not know the query language. */
export function AddFilter({ tracker, onAdd, onClose }: Props) {
  const fields = searched(tracker)
  const status = tracker.semantics.status?.field_id
  const [field, setField] = useState(fields.find(({ field_id }) => field_id === status) ?? fields[0])
  const [operator, setOperator] = useState('=')
  const [values, setValues] = useState<readonly string[]>([])
  if (!field) return null
  const isValued = operator !== EMPTY && operator !== FILLED
  const choose = (next: TrackerField) => {
    setField(next)
    setOperator('=')
    setValues([])
  }
  return (
    <Dialog title={text('filter.add_title')} onClose={onClose}>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isValued || values.some((value) => value !== '')) onAdd(termOf(field, operator, values))
        }}
      >
        <SelectField
          label={text('filter.field')}
          value={field.name}
          options={fields.map(({ name, label }) => ({ value: name, label }))}
          onChange={(name) => choose(fields.find((each) => each.name === name) ?? field)}
        />
        <SelectField label={text('filter.operator')} value={operator} options={signsOf(field)} onChange={setOperator} />
        {isValued && <Values key={field.name} field={field} values={values} onChange={setValues} />}
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text('filter.add')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Values({
  field,
  values,
  onChange,
}: {
  field: TrackerField
  values: readonly string[]
  onChange: (values: readonly string[]) => void
}) {
  const choices = literalsOf(field).filter(({ insert }) => insert !== '""' && !insert.startsWith('NOW'))
  if (choices.length === 0)
    return (
      <TextField
        label={text('filter.value')}
        type={NUMBERS.includes(field.type) ? 'number' : DATES.includes(field.type) ? 'date' : 'text'}
        step="any"
        required
        value={values[0] ?? ''}
        onChange={({ target }) => onChange([target.value])}
      />
    )
  return (
    <ChoiceGroup label={text('filter.values')}>
      <div className={styles['picked']}>
        {choices.map(({ insert, detail }) => (
          <Choice
            key={insert}
            label={insert === 'MYSELF()' ? text('filter.me') : (detail ?? insert.slice(1, -1))}
            checked={values.includes(insert)}
            onChange={({ target }) =>
              onChange(target.checked ? [...values, insert] : values.filter((each) => each !== insert))
            }
          />
        ))}
      </div>
    </ChoiceGroup>
  )
}

function signsOf(field: TrackerField): { value: string; label: string }[] {
  const isText = field.type === 'string' || field.type === 'text' || field.type === 'file'
  const signs = operatorsOf(field).filter((sign) => !sign.endsWith('('))
  return [
    ...signs.map((value) => ({
      value,
      label:
        value === '='
          ? text(isText ? 'filter.has' : 'filter.is')
          : value === '!='
            ? text(isText ? 'filter.has_not' : 'filter.not')
            : value,
    })),
    ...(ALWAYS_FILLED.includes(field.type)
      ? []
      : [
          { value: EMPTY, label: text('filter.is_empty') },
          { value: FILLED, label: text('filter.is_filled') },
        ]),
  ]
}

function termOf({ name, type }: TrackerField, operator: string, values: readonly string[]): string {
  if (operator === EMPTY || operator === FILLED) return `${name} ${operator}`
  const literals = values.map((value) => literalOf(type, value))
  if (literals.length > 1) return `${name} ${operator === '!=' ? 'NOT IN' : 'IN'} (${literals.join(', ')})`
  return `${name} ${operator} ${literals[0] ?? '""'}`
}

function literalOf(type: string, value: string): string {
  if (value.startsWith('"') || value === 'MYSELF()') return value
  return NUMBERS.includes(type) && /^\d+(?:\.\d+)?$/.test(value) ? value : quoted(value)
}
