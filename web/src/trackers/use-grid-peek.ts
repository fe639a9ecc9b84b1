import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { Peek } from '../peek/use-peek.ts'
import type { GridStore } from './grid-rows.ts'
import type { GridCell } from './use-active-cell.ts'

/** Moves the active row from outside of the grid. */
export interface GridHandle {
  step(by: 1 | -1): void
  /** Opens the panel for the active row, or closes it. */
  togglePeek(): void
  focus(): void
}

interface Options {
  readonly handle: Ref<GridHandle> | undefined
  /** Undefined: the grid has no panel beside it. */
  readonly peek: Peek | undefined
  readonly store: GridStore
  readonly version: number
  readonly size: number
  readonly active: GridCell
  readonly move: (row: number, column: number) => void
  readonly focus: () => void
}

/** The panel follows the active row when it is moved, but not when rows move: a comment may be open there. */
export function useGridPeek({ handle, peek, store, version, size, active, move, focus }: Options) {
  const isMoved = useRef(false)
  const latest = useRef(peek)
  latest.current = peek
  const go = (row: number, column: number) => {
    isMoved.current = true
    move(row, column)
  }
  const shown = peek?.id
  useLayoutEffect(() => {
    const place = shown === undefined ? undefined : store.placeOf(shown)
    if (place !== undefined) move(place, active.column)
  }, [])
  useEffect(() => {
    const id = store.idAt(active.row)
    if (!isMoved.current || id === undefined) return
    isMoved.current = false
    if (shown !== undefined && id !== shown) latest.current?.show(id)
  }, [store, version, active])
  const toggle = (row: number) => {
    const id = store.idAt(row)
    if (id === undefined) return
    if (id === shown) peek?.close()
    else peek?.show(id)
  }
  useImperativeHandle(handle, () => ({
    step(by) {
      let row = active.row + by
      while (row >= 0 && row < size && store.groups?.headerAt(row)) row += by
      if (row >= 0 && row < size) go(row, active.column)
    },
    togglePeek() {
      if (shown === undefined) toggle(Math.max(0, active.row))
      else peek?.close()
    },
    focus,
  }))
  return { move: go, toggle }
}
