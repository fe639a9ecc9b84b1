import { useEffect, useRef } from 'react'

const SEQUENCE = 1_000

/** Single letters, and letters behind `g`, wherever nobody is typing. */
export function useShortcuts(shortcuts: Readonly<Record<string, () => void>>): void {
  const current = useRef(shortcuts)
  current.current = shortcuts
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    const listen = (event: KeyboardEvent) => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isPalette && (event.ctrlKey || event.metaKey || event.altKey || isTyping(event))) return
      const isSecond = first?.key === 'g' && event.timeStamp - first.at < SEQUENCE
      const name = isPalette ? 'Ctrl K' : isSecond && first ? `${first.key} ${event.key}` : event.key
      first = isPalette || isSecond ? undefined : { key: event.key, at: event.timeStamp }
      const run = current.current[name]
      if (!run) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Into a field, or into a dialog that has keys of its own. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath() // In an editor of its own it is deeper than its target says.
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
