import type { Answer } from '@waypost/sdk/answer'
import type { ReportDefinition, Tracker } from '@waypost/sdk/api'
import { type FormEvent, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { ChoiceInput, TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import styles from './toolbar.module.css'
import { text } from './messages.ts'

interface Props {
  title: string
  tracker: Tracker
  before: ReportDefinition
  onSave: (named: ReportDefinition) => Promise<Answer<unknown>>
  onDelete?: () => Promise<Answer<unknown>>
  onClose: () => void
}

/** Edits the name and the visibility of a report. */
export function NameReport({ title, tracker, before, onSave, onDelete, onClose }: Props) {
  const [label, setLabel] = useState(before.label)
  const [isPublic, setPublic] = useState(before.public === true)
  const [isDefault, setDefault] = useState(before.default === true)
  const [error, setError] = useState<string>()
  // `permissions_for_groups` is visible only to administrators of the tracker.
  const mayShare = tracker.permissions_for_groups !== null
  const settle = async (asked: Promise<Answer<unknown>> | undefined) => {
    const answer = await asked
    if (answer?.ok === false) setError(refusalText(answer))
    else onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void settle(onSave({ ...before, label, public: isPublic, default: isPublic && isDefault }))
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className={styles['form']} onSubmit={submit}>
        <TextField
          label={text('reports.label')}
          hint={onDelete ? undefined : text('reports.label.hint')}
          error={error}
          autoFocus
          required
          maxLength={255}
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
        {(mayShare || !onDelete) && (
          <ChoiceInput
            label={text('reports.public')}
            hint={text(mayShare ? 'reports.public.hint' : 'reports.public.forbidden')}
            disabled={!mayShare}
            checked={isPublic}
            onChange={({ target }) => setPublic(target.checked)}
          />
        )}
        {mayShare && isPublic && (
          <ChoiceInput
            label={text('reports.default')}
            hint={text('reports.default.hint')}
            checked={isDefault}
            onChange={({ target }) => setDefault(target.checked)}
          />
        )}
        <DialogActions>
          {onDelete && (
            <Button kind="danger" onPress={() => void settle(onDelete())}>
              {text('reports.delete')}
            </Button>
          )}
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text('reports.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
