import { type RefObject, useRef, useState } from 'react'
import { usePointerDrag } from '../shell/use-pointer-drag.ts'
import type { GridStore } from './grid-rows.ts'
import type { Beside } from './row-store.ts'

interface Options {
  readonly scroller: RefObject<HTMLElement | null>
  readonly store: GridStore
  readonly size: number
  readonly rowHeight: number
  readonly onRank: ((id: number, to: Beside) => void) | undefined
}

/** A dragged row, and the index of the row that will follow it. */
interface DraggedRow {
  readonly id: number
  readonly slot: number
}

/** Drags a row by its grip to another place of an order by hand. */
export function useRowDrag({ scroller, store, size, rowHeight, onRank }: Options) {
  const [dragged, setDragged] = useState<DraggedRow>()
  const now = useRef<DraggedRow>(undefined)
  const become = (next: DraggedRow | undefined) => {
    now.current = next
    setDragged(next)
  }
  const startDrag = usePointerDrag({
    attribute: 'data-grip',
    scroller,
    onHold: (id) => become({ id, slot: store.placeOf(id) ?? 0 }),
    onOver: (_, { y }) => {
      const { current: element } = scroller
      if (!element || !now.current) return
      const below = y - element.getBoundingClientRect().top - rowHeight + element.scrollTop
      const slot = Math.max(0, Math.min(size, Math.round(below / rowHeight)))
      if (slot !== now.current.slot) become({ ...now.current, slot })
    },
    onDrop: () => {
      const { current: was } = now
      become(undefined)
      const from = was && store.placeOf(was.id)
      if (!was || from === undefined || was.slot === from || was.slot === from + 1) return
      const next = was.slot < size ? store.idAt(was.slot) : undefined
      const last = was.slot < size ? undefined : store.idAt(size - 1)
      if (next !== undefined) onRank?.(was.id, { side: 'before', anchor: next })
      else if (last !== undefined) onRank?.(was.id, { side: 'after', anchor: last })
    },
    onCancel: () => become(undefined),
  })
  return { startDrag: onRank ? startDrag : undefined, dragged }
}
