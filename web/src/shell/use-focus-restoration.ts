import { useEffect } from 'react'

/** A closing dialog restores the focus by itself one frame later. */
const RESTORE_DELAY_MS = 100

/**
 * Restores the focus when the focused element is removed: to the previous element of the screen, else to the heading of
 * the panel or the screen. Otherwise keyboard users would start again at the top.
 */
export function useFocusRestoration(): void {
  useEffect(() => {
    let last: HTMLElement | undefined
    let waysBack: readonly (HTMLElement | null | undefined)[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      last = target
      const main = target.closest('main')
      if (main) waysBack = [target, target.closest('section')?.querySelector('h2'), main.querySelector('h1')]
    }
    // A click outside of all controls removes the focus on purpose.
    const forget = () => {
      last = undefined
    }
    const bringBack = () => {
      for (const way of waysBack) if (isFocusLost()) currentElement(way)?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (!last || (last.isConnected && !last.matches(':disabled'))) return
      last = undefined
      clearTimeout(timer)
      timer = setTimeout(bringBack, RESTORE_DELAY_MS)
    })
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', remember)
    document.addEventListener('pointerdown', forget)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', forget)
    }
  }, [])
}

/** A link with the same target replaces a removed one, for example on a card that was moved. */
function currentElement(way: HTMLElement | null | undefined): HTMLElement | null | undefined {
  if (!(way instanceof HTMLAnchorElement) || way.isConnected) return way
  return document.querySelector<HTMLElement>(`main a[href="${CSS.escape(way.getAttribute('href') ?? '')}"]`)
}

function isFocusLost(): boolean {
  const isAsked = document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
  return !isAsked && (document.activeElement === null || document.activeElement === document.body)
}
