import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { type RefObject, useState } from 'react'
import { Popover } from 'react-aria-components/Popover'
import { Button } from '../design/button.tsx'
import { DialogActions } from '../design/dialog.tsx'
import { ChoiceInput, ChoiceGroup, SelectField, TextField } from '../design/field.tsx'
import { text } from './messages.ts'
import styles from './toolbar.module.css'
import { filterOf, literalsOf, searchableFields } from './tql/complete.ts'
import { quoted } from './tql/tokens.ts'

const EMPTY = '= ""'
const FILLED = '!= ""'

interface Props {
  tracker: Tracker
  /** The element beside which it opens. */
  anchor: RefObject<Element | null>
  onAdd: (term: string) => void
  onClose: () => void
}

/** Builds a condition by a form, without TQL. */
export function AddFilter({ tracker, anchor, onAdd, onClose }: Props) {
  const fields = searchableFields(tracker)
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
    <Popover
      isOpen
      triggerRef={anchor}
      placement="bottom start"
      offset={4}
      aria-label={text('filter.add_title')}
      className={String(styles['popover'])}
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isValued || values.some((value) => value !== '')) onAdd(termOf(field, operator, values))
        }}
      >
        <SelectField
          label={text('filter.field')}
          autoFocus
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
    </Popover>
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
        type={filterOf(field).input}
        step="any"
        placeholder={filterOf(field).example}
        required
        value={values[0] ?? ''}
        onChange={({ target }) => onChange([target.value])}
      />
    )
  return (
    <ChoiceGroup label={text('filter.values')}>
      <div className={styles['picked']}>
        {choices.map(({ insert, detail }) => (
          <ChoiceInput
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
  const { operators, isContained, isAlwaysFilled } = filterOf(field)
  const signs = operators.filter((sign) => !sign.endsWith('('))
  return [
    ...signs.map((value) => ({
      value,
      label:
        value === '='
          ? text(isContained ? 'filter.has' : 'filter.is')
          : value === '!='
            ? text(isContained ? 'filter.has_not' : 'filter.not')
            : value,
    })),
    ...(isAlwaysFilled
      ? []
      : [
          { value: EMPTY, label: text('filter.is_empty') },
          { value: FILLED, label: text('filter.is_filled') },
        ]),
  ]
}

function termOf(field: TrackerField, operator: string, values: readonly string[]): string {
  const { name } = field
  if (operator === EMPTY || operator === FILLED) return `${name} ${operator}`
  const literals = values.map((value) => literalOf(field, value))
  if (literals.length > 1) return `${name} ${operator === '!=' ? 'NOT IN' : 'IN'} (${literals.join(', ')})`
  return `${name} ${operator} ${literals[0] ?? '""'}`
}

function literalOf(field: TrackerField, value: string): string {
  if (value.startsWith('"') || value === 'MYSELF()') return value
  return filterOf(field).input === 'number' && /^\d+(?:\.\d+)?$/.test(value) ? value : quoted(value)
}
