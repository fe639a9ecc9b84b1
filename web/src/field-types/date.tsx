import type { TrackerField } from '@waypost/sdk/api'
import { DueDay } from '../design/due-day.tsx'
import { TextField } from '../design/field.tsx'
import { CalendarDay, RelativeTime } from '../design/relative-time.tsx'
import { jsonText } from '../json.ts'
import { useDueState } from './due.tsx'
import type { EditorProps, FieldEditing, FieldType } from './field-type.ts'
import { DATE_FILTER } from './parts/filters.ts'
import { DAY_COLUMN } from './parts/table-import.ts'
import type { DateValue } from './values.ts'

const editing: FieldEditing<DateValue> = {
  toDraft: (field, value) => ({ field_id: field.field_id, value: toDraftDate(field, value?.value ?? '') }),
  defaultDraft: (field) => ({
    field_id: field.field_id,
    value: toDraftDate(field, jsonText(field.default_value).replace(' ', 'T')),
  }),
  optimistic: ({ field_id, type, label, is_time_displayed }, { value }) => ({
    field_id,
    type,
    label,
    value,
    is_time_displayed: is_time_displayed === true,
  }),
  Editor: EditDate,
}

export const date: FieldType<DateValue> = {
  type: 'date',
  kind: 'field',
  isEmpty: ({ value }) => !value,
  show({ field_id, value, is_time_displayed: hasTime }) {
    if (!value) return null
    // A date is not an instant: it is shown as stored, in every time zone.
    return hasTime === true ? <RelativeTime at={value} /> : <ShownDay field={field_id} day={value.slice(0, 10)} />
  },
  editing,
  column: { width: 8, isSortable: true, isShownByDefault: 'middle' },
  card: { isShownByDefault: true, needsLabel: true },
  filter: DATE_FILTER,
  canBeRequired: true,
  fromTable: DAY_COLUMN,
  settings: [{ name: 'display_time', kind: 'flag' }],
  picker: 'day',
  initial: 'day',
  semantics: ['day'],
  setByWorkflow: 'now',
}

/** A due date is shown as people say it, other dates in full. */
function ShownDay({ field, day }: { field: number; day: string }) {
  const due = useDueState(field)
  return due ? <DueDay day={day} isClosed={due === 'closed'} /> : <CalendarDay day={day} />
}

/** A date has no time zone; a date with time is an instant, normalized to UTC. */
function toDraftDate({ is_time_displayed }: TrackerField, given: string): string {
  if (is_time_displayed !== true) return given.slice(0, 10)
  return given === '' || Number.isNaN(Date.parse(given)) ? '' : new Date(given).toISOString()
}

/** The native input: it supports the calendar and keyboard of the user. */
function EditDate({ field, draft, onChange, frame }: EditorProps) {
  const { field_id } = field
  const hasTime = field.is_time_displayed === true
  const value = jsonText(draft.value)
  return (
    <TextField
      {...frame}
      type={hasTime ? 'datetime-local' : 'date'}
      value={hasTime ? localMinute(value) : value}
      onChange={({ target }) => {
        const typed = target.value
        onChange({ field_id, value: hasTime && typed !== '' ? new Date(typed).toISOString() : typed })
      }}
    />
  )
}

/** The instant as a local time in minutes, as the native input requires it. */
function localMinute(moment: string): string {
  if (moment === '') return ''
  const instant = new Date(moment)
  return new Date(instant.getTime() - instant.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
