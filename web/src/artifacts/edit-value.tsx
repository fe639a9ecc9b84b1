import type { Tracker, TrackerField, Value } from '@waypost/sdk/api'
import { Choice, ChoiceGroup, LongTextField, TextField } from '../design/field.tsx'
import { text } from './words.ts'
import type { Chosen } from './choices.ts'
import { type Draft, isList, textOfDraft } from './draft.ts'
import { EditFiles } from './edit-files.tsx'
import { EditLinks } from './edit-links.tsx'
import { EditList, EditOpenList } from './edit-list.tsx'
import { listIn, isRecord, recordsIn, textIn } from './loose.ts'
import { MarkdownField } from './markdown/markdown-field.tsx'

export interface EditValueProps {
  readonly tracker: Tracker
  readonly field: TrackerField
  /** `draftOf` what is stored, or `defaultDraft` for a new artifact; goes into `values` of a write as it is. */
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
  /** What is stored: the workflow goes on from there. */
  readonly stored?: Value | undefined
  /** What is chosen in other lists; it may decide what can be chosen here. */
  readonly chosen?: Chosen | undefined
  readonly error?: string | undefined
  /** The name of the field stands elsewhere, as above a column. */
  readonly isBare?: boolean | undefined
  readonly autoFocus?: boolean | undefined
}

/** What every kind of editor is given. */
export type EditorProps = EditValueProps & {
  readonly label: string
  readonly hint: string | undefined
  /** What stands around the editor itself, for those that are one field. */
  readonly frame: Pick<EditValueProps, 'error' | 'isBare' | 'autoFocus'> & { label: string; hint: string | undefined }
}

/** An editor for a value of any field that people write. */
export function EditValue(props: EditValueProps) {
  const { field } = props
  const label = field.required ? text('edit.required', { label: field.label }) : field.label
  const hint = field.description === '' || props.isBare ? undefined : field.description
  const { error, isBare, autoFocus } = props
  const editor: EditorProps = { ...props, label, hint, frame: { label, hint, error, isBare, autoFocus } }
  if (isList(field)) return <EditList {...editor} />
  switch (field.type) {
    case 'text':
      return <EditText {...editor} />
    case 'date':
      return <EditDate {...editor} />
    case 'tbl':
      return <EditOpenList {...editor} />
    case 'art_link':
      return <EditLinks {...editor} />
    case 'file':
      return <EditFiles {...editor} />
    case 'perm':
      return <EditRestriction {...editor} />
    case 'computed':
      return <EditComputed {...editor} />
    default:
      return <EditLine {...editor} />
  }
}

function EditLine({ field, draft, onChange, frame }: EditorProps) {
  const { field_id, type, specific_properties: properties } = field
  const isNumber = type === 'int' || type === 'float'
  const most = Number(properties['maxchars'] ?? 0)
  return (
    <TextField
      {...frame}
      inputMode={type === 'int' ? 'numeric' : type === 'float' ? 'decimal' : 'text'}
      {...(!isNumber && most > 0 && { maxLength: most })}
      autoComplete="off"
      value={textIn(draft.value)}
      onChange={({ target }) => onChange({ field_id, value: target.value })}
    />
  )
}

function EditText({ field, draft, onChange, frame }: EditorProps) {
  const { field_id } = field
  const { content, format } = textOfDraft(draft)
  const write = (typed: string) => onChange({ field_id, value: { content: typed, format } })
  const isMarkdown = format !== 'html' && format !== 'text'
  const notes = [frame.hint, format === 'html' ? text('edit.html') : isMarkdown ? text('edit.markdown') : undefined]
  const framed = { ...frame, hint: notes.filter((note) => note !== undefined).join(' ') || undefined, value: content }
  if (isMarkdown) return <MarkdownField {...framed} onChange={write} />
  return <LongTextField {...framed} onChange={({ target }) => write(target.value)} />
}

/** The browser's own field: it knows the calendar of the one who types, and every keyboard. */
function EditDate({ field, draft, onChange, frame }: EditorProps) {
  const { field_id } = field
  const hasTime = field.is_time_displayed === true
  const value = textIn(draft.value)
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

/** A moment as the field of the browser has it: the minute, here. */
function localMinute(moment: string): string {
  if (moment === '') return ''
  const date = new Date(moment)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Who may see the artifact: everybody, or some groups. */
function EditRestriction({ field, draft, onChange, label, hint, error, isBare, autoFocus }: EditorProps) {
  const { field_id, values } = field
  const { value } = draft
  const granted = listIn(isRecord(value) ? value['granted_groups'] : undefined).map(textIn)
  const isUsed = isRecord(value) && value['is_used_by_default'] === true
  const groups = recordsIn(isRecord(values) ? values['ugroup_representations'] : undefined)
  const change = (granted_groups: readonly string[], is_used_by_default: boolean) =>
    onChange({ field_id, value: { granted_groups, is_used_by_default } })
  return (
    <ChoiceGroup label={label} hint={hint} error={error} isBare={isBare}>
      <Choice
        label={text('edit.restricted')}
        autoFocus={autoFocus}
        checked={isUsed}
        onChange={({ target }) => change(granted, target.checked)}
      />
      {isUsed &&
        groups.map(({ id, label: name }) => (
          <Choice
            key={textIn(id)}
            label={textIn(name)}
            checked={granted.includes(textIn(id))}
            onChange={({ target }) =>
              change(target.checked ? [...granted, textIn(id)] : granted.filter((each) => each !== id), true)
            }
          />
        ))}
    </ChoiceGroup>
  )
}

/** A sum over the children, or a number that somebody has typed instead. */
function EditComputed({ field, draft, onChange, label, hint, error, isBare, autoFocus }: EditorProps) {
  const { field_id } = field
  const isAutomatic = draft.manual_value === undefined
  return (
    <ChoiceGroup label={label} hint={hint} error={error} isBare={isBare}>
      <Choice
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
          value={textIn(draft.manual_value)}
          onChange={({ target }) => onChange({ field_id, manual_value: target.value })}
        />
      )}
    </ChoiceGroup>
  )
}
