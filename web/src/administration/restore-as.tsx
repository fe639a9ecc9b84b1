import type { TrashEntry } from '@waypost/sdk/api'
import { type FormEvent, useState } from 'react'
import { formValue } from '../accounts/auth-layout.tsx'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { text } from './messages.ts'
import styles from './administration.module.css'
import { restore } from './restore.ts'

/** Asks for another name because the old one is taken. */
export function RestoreAs({ entry, onClose }: { entry: TrashEntry; onClose: () => void }) {
  const [isTaken, setTaken] = useState(false)
  const submit = async (name: string) => {
    const outcome = await restore(entry, name)
    if (outcome === 'name_taken') setTaken(true)
    else onClose()
  }
  return (
    <Dialog title={text('trash.restore_as', { label: entry.label })} onClose={onClose}>
      <form
        className={styles['form']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit(formValue(new FormData(event.currentTarget), 'name').trim())
        }}
      >
        <p>{text('trash.taken')}</p>
        <TextField
          label={text('trash.other_name')}
          name="name"
          autoComplete="off"
          error={isTaken ? text('trash.taken_too') : undefined}
          autoFocus
          required
        />
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text('trash.restore')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
