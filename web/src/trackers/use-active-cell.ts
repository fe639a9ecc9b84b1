import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { GridRows, GridStore } from './grid-rows.ts'

/** The active cell. Row -1 is the header. */
export interface GridCell {
  readonly row: number
  readonly column: number
}

interface Options {
  readonly loader: GridRows
  readonly version: number
  readonly size: number
  readonly columns: number
  readonly rowHeight: number
  readonly scroller: RefObject<HTMLDivElement | null>
}

/**
 * The active cell. It follows its artifact while rows are inserted and removed, and the scroll position follows too.
 */
export function useActiveCell({ loader, version, size, columns, rowHeight, scroller }: Options) {
  const { store, place } = loader
  const [active, setActive] = useState<GridCell>(() => ({ row: Math.min(place.row, size - 1), column: place.column }))
  const artifact = useRef<number>(undefined)
  const anchor = useRef<{ id: number; row: number }>(undefined)

  useLayoutEffect(() => {
    const row = artifact.current === undefined ? undefined : placeNear(store, artifact.current, active.row)
    if (row !== undefined && row !== active.row && active.row >= 0) setActive({ ...active, row })
    const { current: element } = scroller
    const { current: held } = anchor
    const now = held && placeNear(store, held.id, held.row)
    if (element && element.scrollTop > 0 && held && now !== undefined && now !== held.row) {
      element.scrollTop += (now - held.row) * rowHeight
      anchor.current = { id: held.id, row: now }
    }
  }, [store, version])
  useEffect(() => {
    if (active.row >= 0) artifact.current = store.idAt(active.row)
    Object.assign(place, active)
  }, [store, active, version])

  const move = (row: number, column: number) => {
    const next = { row: clamp(row, -1, size - 1), column: clamp(column, 0, columns - 1) }
    artifact.current = next.row < 0 ? undefined : store.idAt(next.row)
    setActive(next)
    reveal(next)
  }
  const reveal = ({ row, column }: GridCell) => {
    const { current: element } = scroller
    if (!element || row < 0) return
    const head = rowHeight
    const top = row * rowHeight
    const room = element.clientHeight - head
    // The header of its group stays in view, above the row.
    const above = store.groups ? Math.max(0, top - rowHeight) : top
    if (above < element.scrollTop) element.scrollTop = above
    else if (top + rowHeight > element.scrollTop + room) element.scrollTop = top + rowHeight - room
    if (column <= 2) element.scrollLeft = 0
    else
      requestAnimationFrame(() =>
        element.querySelector(`[data-column="${column}"]`)?.scrollIntoView({ inline: 'nearest', block: 'nearest' }),
      )
  }
  return {
    active,
    move,
    /** Anchors the first visible row. */
    hold: (row: number) => {
      const id = store.idAt(row)
      anchor.current = id === undefined ? undefined : { id, row }
    },
  }
}

/** The place of a row; the same as before if possible, because a row of several groups has several places. */
function placeNear(store: GridStore, id: number, before: number): number | undefined {
  return store.idAt(before) === id ? before : store.placeOf(id)
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
