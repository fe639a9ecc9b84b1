import { TextField } from '../design/field.tsx'
import { jsonText } from '../json.ts'
import type { EditorProps, FieldEditing, FieldType } from './field-type.ts'
import { formatDuration, parseDuration } from './parts/duration-text.ts'
import { NUMBER_FILTER } from './parts/filters.ts'
import styles from './parts/values.module.css'
import type { DurationValue } from './values.ts'

const EXAMPLE = '2h 30m'
/** In minutes. */
const STEPS = [1, 5, 10, 30, 60, 120, 300, 600, 1200, 3000, 6000, 12_000, 30_000, 60_000, 300_000]

const editing: FieldEditing<DurationValue> = {
  toDraft: ({ field_id }, value) => ({ field_id, value: jsonText(value?.value) }),
  defaultDraft: ({ field_id, default_value }) => ({ field_id, value: jsonText(default_value) }),
  optimistic({ field_id, type, label }, draft) {
    const typed = jsonText(draft.value).trim()
    if (typed === '') return undefined
    const minutes = parseDuration(typed)
    // Until the server says what is wrong with it, it is shown as typed.
    return { field_id, type, label, value: minutes === undefined ? typed : formatDuration(minutes), minutes }
  },
  Editor: EditDuration,
}

export const duration: FieldType<DurationValue> = {
  type: 'duration',
  kind: 'field',
  isEmpty: ({ value }) => !value,
  show: ({ value }) => value && <span className={styles['number']}>{value}</span>,
  editing,
  column: { width: 6, isNumber: true, isSortable: true, isShownByDefault: 'middle' },
  card: { isShownByDefault: true, needsLabel: true },
  isSummable: true,
  sumScale: { show: formatDuration, steps: STEPS },
  filter: { ...NUMBER_FILTER, input: 'text', example: EXAMPLE },
  canBeRequired: true,
  initial: 'line',
  numberStep: 1,
  semantics: ['amount'],
  setByWorkflow: 'minutes',
}

function EditDuration({ field, draft, onChange, frame }: EditorProps) {
  const { field_id } = field
  return (
    <TextField
      {...frame}
      placeholder={EXAMPLE}
      autoComplete="off"
      value={jsonText(draft.value)}
      onChange={({ target }) => onChange({ field_id, value: target.value })}
    />
  )
}
