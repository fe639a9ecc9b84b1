import { useEffect, useState } from 'react'
import { Button } from '../design/button.tsx'
import { text } from '../words/text.ts'
import styles from './toast-region.module.css'
import { dismiss, takeBack, type Toast, useToasts } from './toasts.ts'
import { useShortcuts } from './use-shortcuts.ts'

const SHOWN_FOR = 8_000

/** Always there, so that screen readers hear what comes into it. */
export function ToastRegion() {
  const toasts = useToasts()
  // The way to it by Tab is longer than it is shown.
  useShortcuts({ u: () => takeBack(toasts.findLast(({ undo }) => undo)) })
  return (
    <div className={styles['region']} role="status" aria-label={text('toasts')}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => dismiss(toast.id), SHOWN_FOR)
    return () => clearTimeout(timer)
  }, [isHeld, toast.id])
  return (
    <div
      className={toast.isTrouble ? `${styles['toast']} ${styles['trouble']}` : styles['toast']}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{toast.message}</span>
      {toast.undo && <Button onPress={() => takeBack(toast)}>{text('undo')}</Button>}
      <Button kind="quiet" aria-label={text('dismiss')} onPress={() => dismiss(toast.id)}>
        <span aria-hidden>×</span>
      </Button>
    </div>
  )
}
