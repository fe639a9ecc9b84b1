import { useEffect, useRef } from 'react'

const SEQUENCE_TIMEOUT_MS = 1_000

/** Handles single letters and letters after `g`, unless an input has the focus. */
export function useShortcuts(shortcuts: Readonly<Record<string, () => void>>): void {
  const current = useRef(shortcuts)
  current.current = shortcuts
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    const listen = (event: KeyboardEvent) => {
      const isControl = event.ctrlKey || event.metaKey
      const key = event.key.toLowerCase()
      const isPalette = isControl && key === 'k'
      const isUndo = isControl && key === 'z' && !event.shiftKey
      if (!isPalette && ((isControl && !isUndo) || event.altKey || isTypedInto(event))) return
      const isSecond = first?.key === 'g' && event.timeStamp - first.at < SEQUENCE_TIMEOUT_MS
      const name = isPalette
        ? 'Ctrl K'
        : isUndo
          ? 'Ctrl Z'
          : isSecond && first
            ? `${first.key} ${event.key}`
            : event.key
      first = isControl || isSecond ? undefined : { key: event.key, at: event.timeStamp }
      const run = current.current[name]
      if (!run) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/**
 * For controls with keys of their own: records a pressed key, and returns true if it belongs to a sequence such as `g s`,
 * which the control leaves alone.
 */
export function useSequenceGuard(): (event: { readonly key: string; readonly timeStamp: number }) => boolean {
  const first = useRef<{ key: string; at: number }>(undefined)
  return ({ key, timeStamp }) => {
    const isSecond = first.current?.key === 'g' && timeStamp - first.current.at < SEQUENCE_TIMEOUT_MS
    first.current = isSecond ? undefined : { key, at: timeStamp }
    return isSecond
  }
}

/** True in an input, or in a dialog with its own keys. */
export function isTypedInto(event: KeyboardEvent): boolean {
  const [target] = event.composedPath() // In a shadow root, `target` would be the host.
  return target instanceof Element && target.closest(TYPED_INTO.join()) !== null
}

const TYPED_INTO = [
  'input:not([type="checkbox"], [type="radio"])',
  'textarea',
  'select',
  '[contenteditable="true"]',
  '[role="dialog"]',
  '[role="alertdialog"]',
]
