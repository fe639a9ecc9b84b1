import type { Failure } from '@waypost/sdk/answer'
import type { Directory } from '@waypost/sdk/api'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { FormProblem } from '../design/problem.tsx'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'

interface Props {
  readonly directory: Directory
  readonly onClose: () => void
}

/** Asks for confirmation: the links of accounts to it cannot be brought back. */
export function DeleteDirectory({ directory: { name, label }, onClose }: Props) {
  const [failure, setFailure] = useState<Failure>()
  const remove = async () => {
    const answer = await api.call('DELETE /directories/{name}', { path: { name } })
    await queryClient.invalidateQueries({ queryKey: ['directories'] })
    if (!answer.ok) return setFailure(answer)
    onClose()
    showToast(text('identity.deleted', { label }))
  }
  return (
    <Dialog title={text('identity.delete_question', { label })} isQuestion onClose={onClose}>
      <p>{text('directory.delete_lead')}</p>
      <FormProblem>{failure && refusalText(failure)}</FormProblem>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('cancel')}
        </Button>
        <Button kind="danger" onPress={() => void remove()}>
          {text('delete')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
