import type { KeyboardEvent, PointerEvent } from 'react'
import { text } from './messages.ts'
import { MAX_PEEK_WIDTH, MIN_PEEK_WIDTH } from './peek-memory.ts'
import styles from './peek-panel.module.css'
import type { PeekWidth } from './use-peek-width.ts'
import { isRightToLeft } from '../design/is-right-to-left.ts'

const STEP_PX = 16

/** The edge of the panel: dragging it, or arrow keys, change the width. */
export function PeekEdge({ width, preview, store }: PeekWidth) {
  const press = (event: KeyboardEvent) => {
    const wider = isRightToLeft() ? 'ArrowRight' : 'ArrowLeft'
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const step = event.key === wider ? STEP_PX : -STEP_PX
    event.preventDefault()
    event.stopPropagation()
    store(width + step)
  }
  const drag = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.preventDefault()
    const sign = isRightToLeft() ? -1 : 1
    const widthAt = (x: number) => width + sign * (event.clientX - x)
    const end = new AbortController()
    const { signal } = end
    window.addEventListener('pointermove', ({ clientX }) => preview(widthAt(clientX)), { signal })
    window.addEventListener('pointercancel', () => end.abort(), { signal })
    window.addEventListener(
      'pointerup',
      ({ clientX }) => {
        end.abort()
        store(widthAt(clientX))
      },
      { signal },
    )
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={text('peek.width')}
      aria-valuemin={MIN_PEEK_WIDTH}
      aria-valuemax={MAX_PEEK_WIDTH}
      aria-valuenow={width}
      tabIndex={0}
      className={styles['edge']}
      onKeyDown={press}
      onPointerDown={drag}
    />
  )
}
