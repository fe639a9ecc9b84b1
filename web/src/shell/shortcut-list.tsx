import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { text } from '../messages/text.ts'
import { ShortcutKeys } from './shortcut-keys.tsx'

export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={text('shortcuts')} onClose={onClose}>
      <ShortcutKeys />
      <DialogActions>
        <Link to="/help/$topic" params={{ topic: 'keys' }} className={buttonClass('quiet')} onClick={onClose}>
          {text('nav.help')}
        </Link>
        <Button onPress={onClose} autoFocus>
          {text('close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
