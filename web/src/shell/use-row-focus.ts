import type { RefObject } from 'react'
import { useShortcuts } from './use-shortcuts.ts'

/**
 * `j` and `k` move the focus through the rows of a list, an element with `data-row-list`. If there are several lists, the
 * keys belong to the one with the focus, else to the first.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>, row: string) {
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>(row) ?? [])]
  const currentIndex = () => rows().findIndex((each) => each.contains(document.activeElement))
  const focus = (index: number) => {
    const next = rows()[index]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  const step = (by: 1 | -1) => {
    const index = currentIndex()
    if (index < 0 && !isFirstList(list.current)) return
    focus(index < 0 ? 0 : Math.min(Math.max(index + by, 0), rows().length - 1))
  }
  useShortcuts({ j: () => step(1), k: () => step(-1) })
  return { focus, currentIndex, current: () => rows()[currentIndex()] }
}

function isFirstList(list: HTMLElement | null): boolean {
  const lists = [...document.querySelectorAll('[data-row-list]')]
  const focused = lists.find((each) => each.contains(document.activeElement))
  return (focused ?? lists[0]) === list
}
