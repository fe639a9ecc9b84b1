import { useEffect, useRef } from 'react'
import { isTypedInto } from '../shell/use-shortcuts.ts'
import type { Peek } from './use-peek.ts'

const ROWS = '#main [data-artifact]'

/**
 * Any element with `data-artifact` is a row: Space on it opens the panel, or →, and the panel follows the focus from row
 * to row.
 */
export function usePeekRows(peek: Peek) {
  const latest = useRef(peek)
  latest.current = peek
  const last = useRef<number>(undefined)
  useEffect(() => {
    const end = new AbortController()
    const { signal } = end
    document.addEventListener(
      'keydown',
      (event) => {
        const id = rowOf(event.target)
        const isOther = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented
        if (id === undefined || isOther || isTypedInto(event) || isControl(event.target)) return
        const { current: now } = latest
        if (event.key === ' ' && id === now.id) now.close()
        else if (event.key === ' ' || event.key === 'ArrowRight') now.show(id)
        else return
        event.preventDefault()
      },
      { signal },
    )
    document.addEventListener(
      'focusin',
      ({ target }) => {
        const id = rowOf(target)
        // A closing dialog gives the focus back to the row that had it.
        if (id === undefined || id === last.current) return
        last.current = id
        if (latest.current.id !== undefined) latest.current.show(id)
      },
      { signal },
    )
    return () => end.abort()
  }, [])
  return {
    hasRow: peek.id !== undefined && findRow(peek.id) !== undefined,
    step: (by: 1 | -1) => {
      const rows = [...document.querySelectorAll(ROWS)]
      const next = rows[rows.findIndex((row) => idOf(row) === latest.current.id) + by]
      const id = next && idOf(next)
      if (id === undefined) return
      next?.scrollIntoView({ block: 'nearest' })
      latest.current.show(id)
    },
  }
}

export function focusPeekRow(id: number): void {
  const row = findRow(id)
  const link = row?.matches('[tabindex]') ? row : row?.querySelector<HTMLElement>('a')
  if (link instanceof HTMLElement) link.focus()
}

function findRow(id: number): Element | undefined {
  return [...document.querySelectorAll(ROWS)].find((row) => idOf(row) === id)
}

function rowOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest(ROWS) : null
  return row ? idOf(row) : undefined
}

function idOf(row: Element): number | undefined {
  const id = Number(row.getAttribute('data-artifact'))
  return id > 0 ? id : undefined
}

/** Space presses it. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, input, summary, [role="button"]') !== null
}
