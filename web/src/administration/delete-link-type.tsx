import type { Failure } from '@waypost/sdk/answer'
import type { LinkType } from '@waypost/sdk/api'
import { useState } from 'react'
import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { FormProblem } from '../design/problem.tsx'
import { refusalText } from '../design/refusal.tsx'
import { queryClient } from '../query-client.ts'
import { showToast } from '../design/toasts.ts'
import { text } from './messages.ts'

/** Asks for confirmation. A type with links is refused, and the dialog shows why. */
export function DeleteLinkType({ type, onClose }: { readonly type: LinkType; readonly onClose: () => void }) {
  const { shortname, forward_label: label } = type
  const [failure, setFailure] = useState<Failure>()
  const remove = async () => {
    const answer = await api.call('DELETE /link_types/{name}', { path: { name: shortname } })
    await queryClient.invalidateQueries({ queryKey: ['link_types'] })
    if (!answer.ok) return setFailure(answer)
    onClose()
    showToast(text('link_types.deleted', { label }))
  }
  return (
    <Dialog title={text('link_types.delete_question', { label })} isQuestion onClose={onClose}>
      <p>{text('link_types.delete_lead')}</p>
      <FormProblem>{failure && refusalText(failure)}</FormProblem>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('cancel')}
        </Button>
        <Button kind="danger" onPress={() => void remove()}>
          {text('link_types.delete')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
