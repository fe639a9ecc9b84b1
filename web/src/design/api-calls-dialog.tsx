import { text } from '../messages/text.ts'
import { ApiSnippets, type SnippetCall } from './api-snippets.tsx'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

/** The calls of a view that fills the window, where no room is below it. */
export function ApiCallsDialog({ calls, onClose }: { calls: readonly SnippetCall[]; onClose: () => void }) {
  return (
    <Dialog title={text('api_call')} isWide onClose={onClose}>
      <ApiSnippets calls={calls} />
      <DialogActions>
        <Button kind="primary" onPress={onClose}>
          {text('close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
