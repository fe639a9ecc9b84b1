import { type PointerEvent as ReactPointerEvent, type RefObject, useRef } from 'react'

interface Options {
  /** Scrolls when the pointer comes near its edge. */
  readonly scroller: RefObject<HTMLDivElement | null>
  /** Follows the pointer. */
  readonly ghost: RefObject<HTMLDivElement | null>
  readonly onHold: (card: number) => void
  /** The element below the pointer. */
  readonly onOver: (element: Element | null) => void
  readonly onDrop: () => void
  readonly onCancel: () => void
}

/** Smaller movements are a click. */
const DRAG_THRESHOLD_PX = 6
const SCROLL_EDGE_PX = 48
const SCROLL_STEP_PX = 14

/** Drag and drop by mouse or pen. Touch scrolls; it uses the button on the card. */
export function usePointerDrag(options: Options) {
  const current = useRef(options)
  current.current = options
  return (event: ReactPointerEvent) => {
    const { target } = event
    if (event.button !== 0 || event.pointerType === 'touch' || !(target instanceof Element)) return
    const card = target.closest('[data-card]')
    if (!card || target.closest('[data-move]')) return
    follow(Number(card.getAttribute('data-card')), { x: event.clientX, y: event.clientY }, current)
  }
}

interface Point {
  readonly x: number
  readonly y: number
}

function follow(card: number, start: Point, options: RefObject<Options>): void {
  const end = new AbortController()
  const { signal } = end
  let at = start
  let isHeld = false
  const frame = () => {
    if (signal.aborted) return
    const { ghost, scroller, onOver } = options.current
    ghost.current?.style.setProperty('transform', `translate(${at.x + 12}px, ${at.y + 8}px)`)
    if (scroller.current) scrollNear(scroller.current, at)
    onOver(document.elementFromPoint(at.x, at.y))
    requestAnimationFrame(frame)
  }
  const finish = (isDropped: boolean) => {
    end.abort()
    if (!isHeld) return
    // Suppress the click that ends a drag.
    const swallow = (click: Event) => {
      click.preventDefault()
      click.stopPropagation()
    }
    window.addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
    if (isDropped) options.current.onDrop()
    else options.current.onCancel()
  }
  window.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      at = { x: clientX, y: clientY }
      if (isHeld || Math.hypot(at.x - start.x, at.y - start.y) < DRAG_THRESHOLD_PX) return
      isHeld = true
      options.current.onHold(card)
      requestAnimationFrame(frame)
    },
    { signal },
  )
  window.addEventListener(
    'pointerup',
    ({ clientX, clientY }) => {
      if (isHeld) options.current.onOver(document.elementFromPoint(clientX, clientY))
      finish(true)
    },
    { signal },
  )
  window.addEventListener('pointercancel', () => finish(false), { signal })
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !isHeld) return
      event.stopPropagation()
      finish(false)
    },
    { signal, capture: true },
  )
}

function scrollNear(scroller: HTMLElement, { x, y }: Point): void {
  const { left, right, top, bottom } = scroller.getBoundingClientRect()
  const across = x < left + SCROLL_EDGE_PX ? -SCROLL_STEP_PX : x > right - SCROLL_EDGE_PX ? SCROLL_STEP_PX : 0
  const down = y < top + SCROLL_EDGE_PX ? -SCROLL_STEP_PX : y > bottom - SCROLL_EDGE_PX ? SCROLL_STEP_PX : 0
  if (across !== 0 || down !== 0) scroller.scrollBy(across, down)
}
