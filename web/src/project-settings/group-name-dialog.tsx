import type { Failure } from '@waypost/sdk/answer'
import { type FormEvent, useState } from 'react'
import { formValue } from '../accounts/auth-layout.tsx'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { TextField } from '../design/field.tsx'
import { refusalText } from '../design/refusal.tsx'
import { text } from '../projects/messages.ts'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import styles from './people.module.css'
import { useSettingsProject } from './use-settings-project.ts'

interface Props {
  /** Absent: a new group. */
  readonly group?: { readonly id: string; readonly short_name: string }
  readonly onClose: () => void
}

/** Asks for the name of a group. */
export function GroupNameDialog({ group, onClose }: Props) {
  const { id: project } = useSettingsProject()
  const [failure, setFailure] = useState<Failure>()
  const submit = async (short_name: string) => {
    const answer = group
      ? await api.call('PATCH /user_groups/{id}', { path: { id: group.id }, body: { short_name } })
      : await api.call('POST /user_groups', { body: { project_id: project, short_name } })
    if (!answer.ok) return setFailure(answer)
    onClose()
    showToast(text(group ? 'groups.renamed' : 'groups.made', { group: short_name }))
    await queryClient.invalidateQueries({ queryKey: ['projects', project] })
  }
  return (
    <Dialog
      title={group ? text('groups.rename_what', { group: group.short_name }) : text('groups.new')}
      onClose={onClose}
    >
      <form
        className={styles['dialog']}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault()
          void submit(formValue(new FormData(event.currentTarget), 'short_name').trim())
        }}
      >
        <TextField
          label={text('groups.name')}
          hint={text(group ? 'groups.name.rename_hint' : 'groups.name.hint')}
          name="short_name"
          defaultValue={group?.short_name}
          autoComplete="off"
          spellCheck={false}
          error={failure && nameProblem(failure)}
          autoFocus
          required
        />
        <DialogActions>
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button kind="primary" type="submit">
            {text(group ? 'groups.rename' : 'groups.create')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function nameProblem(failure: Failure): string {
  if (failure.reason === 'name_taken') return text('groups.name.taken')
  return failure.reason === 'name_invalid' ? text('groups.name.invalid') : refusalText(failure)
}
