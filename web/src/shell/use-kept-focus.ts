import { useEffect } from 'react'

/** A dialog that closes gives the keyboard back by itself, a frame later. */
const A_MOMENT = 100

/**
 * Rows, messages and buttons go away while they have the keyboard. It then goes to where it was on the screen before, to the
 * title of the panel, or to that of the screen: who has no mouse does not begin at the top again.
 */
export function useKeptFocus(): void {
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
    // Who clicks beside everything wants the keyboard nowhere.
    const forget = () => {
      last = undefined
    }
    const bringBack = () => {
      for (const way of waysBack) if (isNowhere()) asDrawnNow(way)?.focus({ preventScroll: true })
    }
    const observer = new MutationObserver(() => {
      if (!last || (last.isConnected && !last.matches(':disabled'))) return
      last = undefined
      clearTimeout(timer)
      timer = setTimeout(bringBack, A_MOMENT)
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

/** A link to the same is the same, also where it is drawn elsewhere now: a card that was moved. */
function asDrawnNow(way: HTMLElement | null | undefined): HTMLElement | null | undefined {
  if (!(way instanceof HTMLAnchorElement) || way.isConnected) return way
  return document.querySelector<HTMLElement>(`main a[href="${CSS.escape(way.getAttribute('href') ?? '')}"]`)
}

function isNowhere(): boolean {
  const isAsked = document.querySelector('[role="dialog"], [role="alertdialog"]') !== null
  return !isAsked && (document.activeElement === null || document.activeElement === document.body)
}
