import { api } from '../api.ts'
import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { text } from './messages.ts'
import { queryClient } from '../query-client.ts'
import { showRefusal } from '../shell/show-refusal.ts'
import { showToast } from '../design/toasts.ts'
import { accessKeysQuery } from './access-keys-query.ts'

/** Asks for confirmation: a deletion cannot be undone. */
export function DeleteAccessKey({ id, name, onClose }: { id: number; name: string; onClose: () => void }) {
  const remove = async () => {
    const answer = await api.call('DELETE /access_keys/{id}', { path: { id } })
    onClose()
    if (answer.ok || answer.status === 404) {
      queryClient.setQueryData(accessKeysQuery.queryKey, (keys) => keys?.filter((key) => key.id !== id))
      showToast(text('keys.deleted', { name }))
    } else showRefusal(answer)
    await queryClient.invalidateQueries(accessKeysQuery)
  }
  return (
    <Dialog title={text('keys.delete_title', { name })} isQuestion onClose={onClose}>
      <p>{text('keys.delete_lead')}</p>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('cancel')}
        </Button>
        <Button kind="danger" onPress={() => void remove()}>
          {text('keys.delete')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
