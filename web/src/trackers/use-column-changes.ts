import { type PointerEvent as ReactPointerEvent, type RefObject, useRef, useState } from 'react'
import type { TrackerField } from '@waypost/sdk/api'
import { usePointerDrag } from '../shell/use-pointer-drag.ts'
import { limitWidth } from './column-widths.ts'
import { isRightToLeft } from '../design/is-right-to-left.ts'

interface Options {
  readonly scroller: RefObject<HTMLElement | null>
  readonly columns: readonly TrackerField[]
  readonly onReorder: (names: readonly string[]) => void
  readonly onResize: (name: string, width: number) => void
}

const WIDTH_STEP_PX = 16

/** Columns are moved and resized by their headers. */
export function useColumnChanges({ scroller, columns, onReorder, onResize }: Options) {
  const [preview, setPreview] = useState<{ readonly name: string; readonly width: number }>()
  const [slot, setSlot] = useState<number>()
  const dragged = useRef<{ from: number; to: number }>(undefined)
  const headOf = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-column-head="${index}"]`)
  const move = (from: number, to: number) => {
    const names = columns.map(({ name }) => name)
    const [moved] = names.splice(from, 1)
    if (moved !== undefined && to >= 0 && to <= names.length && from !== to) onReorder(names.toSpliced(to, 0, moved))
  }
  const startDrag = usePointerDrag({
    attribute: 'data-column-head',
    scroller,
    isSideways: true,
    onHold: (from) => {
      dragged.current = { from, to: from }
    },
    onOver: (element, { x }) => {
      const head = element?.closest('[data-column-head]')
      if (!head || !dragged.current) return
      const { left, width } = head.getBoundingClientRect()
      const at = Number(head.getAttribute('data-column-head')) + (x > left + width / 2 ? 1 : 0)
      const { from } = dragged.current
      dragged.current = { from, to: at > from ? at - 1 : at }
      setSlot(at)
    },
    onDrop: () => {
      const { current: was } = dragged
      dragged.current = undefined
      setSlot(undefined)
      if (was) move(was.from, was.to)
    },
    onCancel: () => {
      dragged.current = undefined
      setSlot(undefined)
    },
  })
  /** Follows the pointer that holds the edge of a header. */
  const startResize = (event: ReactPointerEvent, index: number) => {
    const { name } = columns[index] ?? {}
    const start = headOf(index)?.offsetWidth
    if (name === undefined || start === undefined || event.button !== 0) return
    event.preventDefault()
    event.stopPropagation()
    const { clientX } = event
    const end = new AbortController()
    const { signal } = end
    // In right-to-left pages the edge of a column is at its left.
    const sign = isRightToLeft() ? -1 : 1
    const widthAt = (x: number) => limitWidth(start + sign * (x - clientX))
    const finish = () => {
      end.abort()
      setPreview(undefined)
    }
    window.addEventListener('pointermove', ({ clientX: x }) => setPreview({ name, width: widthAt(x) }), { signal })
    window.addEventListener('pointercancel', finish, { signal })
    window.addEventListener(
      'pointerup',
      ({ clientX: x }) => {
        finish()
        onResize(name, widthAt(x))
      },
      { signal },
    )
  }
  return {
    preview,
    slot,
    startDrag,
    startResize,
    moveBy: (index: number, step: -1 | 1) => move(index, index + step),
    resizeBy: (index: number, step: -1 | 1) => {
      const { name } = columns[index] ?? {}
      const width = headOf(index)?.offsetWidth
      if (name !== undefined && width !== undefined) onResize(name, limitWidth(width + step * WIDTH_STEP_PX))
    },
  }
}
