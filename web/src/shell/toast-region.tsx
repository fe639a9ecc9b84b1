import { CircleAlert, CircleCheck, Undo2, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { text } from '../messages/text.ts'
import styles from './toast-region.module.css'
import { dismissToast, undoToast, type Toast, useToasts } from '../design/toasts.ts'
import { useShortcuts } from './use-shortcuts.ts'

const TOAST_DURATION_MS = 8_000

/** Always mounted, so that screen readers announce its changes. */
export function ToastRegion() {
  const toasts = useToasts()
  // A toast disappears before Tab can reach it, so `u` triggers its undo.
  const undoLast = () => undoToast(toasts.findLast(({ undo }) => undo))
  useShortcuts({ u: undoLast, 'Ctrl Z': undoLast })
  return (
    <div className={styles['region']} role="status" aria-label={text('toasts')}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

/** Errors stay until they are closed. */
function ToastCard({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld || toast.isTrouble) return undefined
    const timer = setTimeout(() => dismissToast(toast.id), TOAST_DURATION_MS)
    return () => clearTimeout(timer)
  }, [isHeld, toast])
  return (
    <div
      className={toast.isTrouble ? `${styles['toast']} ${styles['trouble']}` : styles['toast']}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon of={toast.isTrouble ? CircleAlert : CircleCheck} />
      <span>{toast.message}</span>
      {toast.undo && (
        <Button kind="quiet" onPress={() => undoToast(toast)}>
          <Icon of={Undo2} />
          {text('undo')}
        </Button>
      )}
      <Button kind="icon" aria-label={text('dismiss')} onPress={() => dismissToast(toast.id)}>
        <Icon of={X} />
      </Button>
    </div>
  )
}
