import type { Tracker, TrackerField } from '@waypost/sdk/api'
import { Plus } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import { type ChoiceKey, offeredChoices } from '../artifacts/choices.ts'
import { explainRefusal } from '../artifacts/explain-refusal.ts'
import { Icon } from '../design/icon.tsx'
import { Hidden } from '../design/page.tsx'
import { defaultDraft, isEditable, isEmptyDraft } from '../field-types/drafts.ts'
import { showToast } from '../design/toasts.ts'
import type { RowLoader } from '../trackers/row-loader.ts'
import { text } from './messages.ts'
import styles from './quick-add.module.css'

/** True if a title is enough for a new artifact in this column. */
export function mayAddTo(tracker: Tracker, by: TrackerField, key: ChoiceKey | undefined): boolean {
  const may = (field: TrackerField | undefined) => field?.permissions.includes('create') === true
  const title = titleOf(tracker)
  const isMissing = (field: TrackerField) =>
    field.required && isEditable(field) && field !== title && field.field_id !== by.field_id && !isFilled(field)
  const isOffered = (field: TrackerField) =>
    offeredChoices({ tracker, field, stored: [], chosen: () => [] }).some((choice) => choice.key === key)
  return may(title) && !tracker.fields.some(isMissing) && (key === undefined || (may(by) && isOffered(by)))
}

function isFilled(field: TrackerField): boolean {
  return !isEmptyDraft(field, defaultDraft(field))
}

function titleOf({ semantics, fields }: Tracker): TrackerField | undefined {
  return fields.find((field) => field.field_id === semantics.title?.field_id && isEditable(field))
}

interface Props {
  tracker: Tracker
  /** The field of the columns. */
  field: TrackerField
  column: { readonly key: ChoiceKey | undefined; readonly label: string }
  loader: RowLoader
}

/** A field for new cards at the end of a column. Enter adds one and stays for the next; Escape closes it. */
export function QuickAdd({ tracker, field, column, loader }: Props) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const isEscaped = useRef(false)
  useEffect(() => {
    if (isEscaped.current) button.current?.focus()
    isEscaped.current = false
  }, [isOpen])
  const close = (isByEscape: boolean) => {
    isEscaped.current = isByEscape
    setOpen(false)
  }
  if (isOpen) return <AddForm {...{ tracker, field, column, loader }} onClose={close} />
  return (
    <button ref={button} type="button" className={styles['add']} onClick={() => setOpen(true)}>
      <Icon of={Plus} />
      {text('board.add', { name: tracker.item_name })}
      <Hidden>{text('board.add_to', { column: column.label })}</Hidden>
    </button>
  )
}

function AddForm({ tracker, field, column, loader, onClose }: Props & { onClose: (isByEscape: boolean) => void }) {
  const [title, setTitle] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isSending, setSending] = useState(false)
  const add = async (event: FormEvent) => {
    event.preventDefault()
    const titleField = titleOf(tracker)
    if (!titleField || title.trim() === '' || isSending) return
    setSending(true)
    setProblem(undefined)
    const values = [
      { field_id: titleField.field_id, value: title.trim() },
      ...(column.key === undefined ? [] : [{ field_id: field.field_id, bind_value_ids: [column.key] }]),
    ]
    const answer = await api.call('POST /artifacts', {
      body: { tracker: { id: tracker.id }, values },
      idempotencyKey: crypto.randomUUID(),
    })
    setSending(false)
    if (!answer.ok) return setProblem(await explainRefusal(answer))
    setTitle('')
    loader.refresh()
    return showToast(text('board.added', { name: answer.body.xref, column: column.label }))
  }
  return (
    <form className={styles['form']} onSubmit={(event) => void add(event)}>
      <input
        autoFocus
        aria-label={text('board.new_title', { column: column.label })}
        aria-describedby={problem === undefined ? undefined : `quick-add-${String(column.key)}`}
        aria-invalid={problem !== undefined}
        maxLength={255}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onClose(true)
        }}
        onBlur={() => title.trim() === '' && !isSending && onClose(false)}
      />
      {problem !== undefined && (
        <p id={`quick-add-${String(column.key)}`} role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      <p className={styles['keys']}>{text('board.add_keys')}</p>
    </form>
  )
}
