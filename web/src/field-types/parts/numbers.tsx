import type { AnyValue as Value } from '@waypost/sdk/api'
import { TextField } from '../../design/field.tsx'
import { jsonText } from '../../json.ts'
import type { EditorProps, FieldEditing, FieldType } from '../field-type.ts'
import type { NumberValue } from '../values.ts'
import styles from './values.module.css'
import { locale } from '../../messages/language.ts'

const tenPlaces = new Intl.NumberFormat(locale, { maximumFractionDigits: 10 })

export function ShownNumber({ number, title }: { number: number; title?: string | undefined }) {
  return (
    <span className={styles['number']} title={title}>
      {tenPlaces.format(number)}
    </span>
  )
}

/** Reading and showing a number. */
export const SHOWN_NUMBER = {
  kind: 'field',
  isEmpty: ({ value }) => typeof value !== 'number',
  show: ({ value }) => typeof value === 'number' && <ShownNumber number={value} />,
} as const satisfies Partial<FieldType<NumberValue>>

/** Numbers are sent as they were typed: the server says what is wrong with them. */
export const NUMBER_EDITING: Omit<FieldEditing<NumberValue>, 'Editor'> = {
  toDraft: ({ field_id }, value) => ({ field_id, value: jsonText(value?.value) }),
  defaultDraft: ({ field_id, default_value }) => ({ field_id, value: jsonText(default_value) }),
  optimistic({ field_id, type, label }, draft): Value | undefined {
    const typed = jsonText(draft.value).trim()
    return typed === '' ? undefined : { field_id, type, label, value: Number(typed) }
  },
}

/** Not `type="number"`: browsers would drop what they cannot parse. */
export function EditNumber({
  field,
  draft,
  onChange,
  frame,
  inputMode,
}: EditorProps & { inputMode: 'numeric' | 'decimal' }) {
  const { field_id } = field
  return (
    <TextField
      {...frame}
      inputMode={inputMode}
      autoComplete="off"
      value={jsonText(draft.value)}
      onChange={({ target }) => onChange({ field_id, value: target.value })}
    />
  )
}
