import { TextField } from '../design/field.tsx'
import { jsonText } from '../json.ts'
import type { EditorProps, FieldEditing, FieldType } from './field-type.ts'
import { TEXT_FILTER } from './parts/filters.ts'
import { LINE_COLUMN } from './parts/table-import.ts'
import type { LineValue } from './values.ts'

const editing: FieldEditing<LineValue> = {
  toDraft: ({ field_id }, value) => ({ field_id, value: jsonText(value?.value) }),
  defaultDraft: ({ field_id, default_value }) => ({ field_id, value: jsonText(default_value) }),
  optimistic: ({ field_id, type, label }, { value }) => ({ field_id, type, label, value }),
  Editor: EditLine,
  sourceOfDraft: ({ value }) => String(value),
}

export const string: FieldType<LineValue> = {
  type: 'string',
  kind: 'field',
  isEmpty: ({ value }) => !value,
  show: ({ value }) => <span dir="auto">{value}</span>,
  showShort: ({ value }) => value,
  source: ({ value }) => value ?? '',
  editing,
  column: { width: 14, isSortable: true, isWide: true },
  filter: TEXT_FILTER,
  canBeRequired: true,
  fromTable: LINE_COLUMN,
  settings: [{ name: 'maxchars', kind: 'count' }],
  initial: 'line',
  semantics: ['title'],
}

function EditLine({ field, draft, onChange, frame }: EditorProps) {
  const { field_id, specific_properties: properties } = field
  const most = Number(properties['maxchars'] ?? 0)
  return (
    <TextField
      {...frame}
      inputMode="text"
      {...(most > 0 && { maxLength: most })}
      autoComplete="off"
      value={jsonText(draft.value)}
      onChange={({ target }) => onChange({ field_id, value: target.value })}
    />
  )
}
