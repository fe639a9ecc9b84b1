import { type RefObject, useCallback } from 'react'
import { useShortcuts } from '../shell/use-shortcuts.ts'

/** `j` and `k` move the focus between the links of the hits; Enter then opens one. Returns the step, for other keys. */
export function useHitKeys(list: RefObject<HTMLElement | null>): (by: 1 | -1) => void {
  const step = useCallback(
    (by: 1 | -1) => {
      const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-hit]') ?? [])]
      const at = links.findIndex((link) => link === document.activeElement)
      const next = links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)]
      next?.focus()
      next?.scrollIntoView({ block: 'nearest' })
    },
    [list],
  )
  useShortcuts({ j: () => step(1), k: () => step(-1) })
  return step
}
