import { ChoiceGroup, ChoiceInput, TextField } from '../design/field.tsx'
import { text } from '../artifacts/messages.ts'
import { isJsonRecord, jsonText } from '../json.ts'
import type { EditorProps, FieldEditing, FieldType } from './field-type.ts'
import { ShownNumber } from './parts/numbers.tsx'
import type { ComputedValue } from './values.ts'

const editing: FieldEditing<ComputedValue> = {
  toDraft: ({ field_id }, value) =>
    value?.is_autocomputed === false
      ? { field_id, manual_value: jsonText(value.manual_value) }
      : { field_id, is_autocomputed: true },
  defaultDraft: ({ field_id, default_value: given }) =>
    isJsonRecord(given) ? { field_id, manual_value: jsonText(given['value']) } : { field_id, is_autocomputed: true },
  optimistic: ({ field_id, type, label }, { manual_value }, stored) =>
    manual_value === undefined
      ? stored && { ...stored, is_autocomputed: true }
      : { field_id, type, label, is_autocomputed: false, manual_value: Number(manual_value) },
  Editor: EditComputed,
}

export const computed: FieldType<ComputedValue> = {
  type: 'computed',
  kind: 'field',
  isEmpty: (value) => amount(value) === undefined,
  show(value) {
    const number = amount(value)
    const title = value.is_autocomputed === true ? text('value.sum') : undefined
    return number !== undefined && <ShownNumber number={number} title={title} />
  },
  editing,
  column: { width: 6, isNumber: true },
  card: { needsLabel: true },
  settings: [{ name: 'target_field_name', kind: 'line' }],
  initial: 'number',
  semantics: ['amount', 'days'],
}

/** The entered number; without one, the sum. */
function amount({ is_autocomputed, value, manual_value }: ComputedValue): number | undefined {
  return (is_autocomputed === false ? manual_value : value) ?? undefined
}

/** A sum over the children, or a number entered instead. */
function EditComputed({ field, draft, onChange, label, hint, error, isBare, autoFocus }: EditorProps) {
  const { field_id } = field
  const isAutomatic = draft.manual_value === undefined
  return (
    <ChoiceGroup label={label} hint={hint} error={error} isBare={isBare}>
      <ChoiceInput
        label={text('edit.automatic')}
        autoFocus={autoFocus}
        checked={isAutomatic}
        onChange={({ target }) =>
          onChange(target.checked ? { field_id, is_autocomputed: true } : { field_id, manual_value: '' })
        }
      />
      {!isAutomatic && (
        <TextField
          label={text('edit.by_hand', { label: field.label })}
          isBare
          inputMode="decimal"
          value={jsonText(draft.manual_value)}
          onChange={({ target }) => onChange({ field_id, manual_value: target.value })}
        />
      )}
    </ChoiceGroup>
  )
}
