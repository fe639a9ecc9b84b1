import type { Failure } from '@waypost/sdk/answer'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { FormProblem } from '../design/problem.tsx'
import { refusalText } from '../design/refusal.tsx'
import { text } from '../projects/messages.ts'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import styles from './project-settings.module.css'
import { useSettingsProject } from './use-settings-project.ts'

interface Props {
  readonly group: { readonly id: string; readonly short_name: string }
  readonly onClose: () => void
}

/** Asks for confirmation. A group in use is refused, and the dialog lists where it is used. */
export function DeleteGroup({ group: { id, short_name: group }, onClose }: Props) {
  const { id: project } = useSettingsProject()
  const [failure, setFailure] = useState<Failure>()
  const [isBusy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    const answer = await api.call('DELETE /user_groups/{id}', { path: { id } })
    setBusy(false)
    if (!answer.ok) return setFailure(answer)
    onClose()
    showToast(text('groups.deleted', { group }))
    await queryClient.invalidateQueries({ queryKey: ['projects', project] })
  }
  const uses = failure?.details.used_by ?? []
  return (
    <Dialog title={text('groups.delete_question', { group })} isQuestion onClose={onClose}>
      <p>{text('groups.delete_lead')}</p>
      <FormProblem>{failure && refusalText(failure)}</FormProblem>
      {uses.length > 0 && (
        <ul className={styles['counts']} aria-label={text('groups.used_by')}>
          {uses.map(({ type, id: used, label }) => (
            <li key={`${type} ${used}`}>{label}</li>
          ))}
        </ul>
      )}
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('cancel')}
        </Button>
        <Button kind="danger" isBusy={isBusy} onPress={() => void remove()}>
          {text('groups.delete')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
