import { Button } from '../design/button.tsx'
import { Dialog, DialogActions } from '../design/dialog.tsx'
import { text } from '../messages/text.ts'
import { OTHER_SHORTCUTS, NAVIGATION_COMMANDS } from './commands.ts'
import { Keys } from './keys.tsx'
import styles from './shortcut-list.module.css'

export function ShortcutList({ onClose }: { onClose: () => void }) {
  const places = NAVIGATION_COMMANDS.map(({ keys, label }) => ({
    keys,
    label: text('command.go', { place: text(label) }),
  }))
  const others = OTHER_SHORTCUTS.map(({ keys, label }) => ({ keys, label: text(label) }))
  return (
    <Dialog title={text('shortcuts')} onClose={onClose}>
      <dl className={styles['list']}>
        {[...others, ...places].map(({ keys, label }) => (
          <div key={`${keys} ${label}`}>
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {text('close')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
