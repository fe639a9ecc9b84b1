import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef } from 'react'
import { scrollAtEdges, scrollSideways } from './scroll-at-edges.ts'

export interface DragPoint {
  readonly x: number
  readonly y: number
}

interface Options {
  /** The attribute of draggable elements; its value is the id. */
  readonly attribute: `data-${string}`
  /** Pressing an element with this attribute inside does not drag. */
  readonly except?: `data-${string}`
  /** Scrolls when the pointer comes near its edge. */
  readonly scroller: RefObject<HTMLElement | null>
  /** It never scrolls up or down. */
  readonly isSideways?: true
  /** Follows the pointer. */
  readonly ghost?: RefObject<HTMLElement | null>
  readonly onHold: (id: number) => void
  /** The element below the pointer. */
  readonly onOver: (element: Element | null, at: DragPoint) => void
  readonly onDrop: () => void
  readonly onCancel: () => void
}

/** Smaller movements are a click. */
const DRAG_THRESHOLD_PX = 6
/** A finger that moves earlier scrolls. Shorter than the delay of the menu of a link, about 500 ms. */
const LONG_PRESS_MS = 350

/** Drag and drop by mouse or pen, and by touch after a long press. */
export function usePointerDrag(options: Options) {
  const current = useRef(options)
  current.current = options
  const isTouchHeld = useRef(false)
  useEffect(() => {
    const { current: element } = options.scroller
    // Browsers decide at the first touch whether a listener can prevent scrolling, so it is always there.
    const keepStill = (event: TouchEvent) => {
      if (isTouchHeld.current) event.preventDefault()
    }
    element?.addEventListener('touchmove', keepStill, { passive: false })
    return () => element?.removeEventListener('touchmove', keepStill)
  }, [])
  return (event: ReactPointerEvent) => {
    const { target, pointerType, pointerId } = event
    const { attribute, except } = current.current
    if (event.button !== 0 || !event.isPrimary || !(target instanceof Element)) return
    const dragged = target.closest(`[${attribute}]`)
    if (!dragged || (except && target.closest(`[${except}]`))) return
    const id = Number(dragged.getAttribute(attribute))
    const start = { x: event.clientX, y: event.clientY }
    follow({ id, start, pointerId, isTouch: pointerType === 'touch', isTouchHeld, options: current })
  }
}

interface Pressed {
  readonly id: number
  readonly start: DragPoint
  readonly pointerId: number
  readonly isTouch: boolean
  readonly isTouchHeld: RefObject<boolean>
  readonly options: RefObject<Options>
}

function follow({ id, start, pointerId, isTouch, isTouchHeld, options }: Pressed): void {
  const end = new AbortController()
  const { signal } = end
  let at = start
  let isHeld = false
  let wait: ReturnType<typeof setTimeout> | undefined
  const frame = () => {
    if (signal.aborted) return
    const { ghost, scroller, isSideways, onOver } = options.current
    ghost?.current?.style.setProperty('transform', `translate(${at.x + 12}px, ${at.y + 8}px)`)
    const below = document.elementFromPoint(at.x, at.y)
    if (scroller.current && isSideways) scrollSideways(scroller.current, at.x)
    else if (scroller.current) scrollAtEdges(scroller.current, below, at)
    onOver(below, at)
    requestAnimationFrame(frame)
  }
  const hold = () => {
    isHeld = true
    isTouchHeld.current = isTouch
    options.current.onHold(id)
    requestAnimationFrame(frame)
  }
  const finish = (isDropped: boolean) => {
    end.abort()
    clearTimeout(wait)
    isTouchHeld.current = false
    if (!isHeld) return
    suppressClick()
    if (isDropped) options.current.onDrop()
    else options.current.onCancel()
  }
  const listen = <E extends keyof WindowEventMap>(name: E, listener: (event: WindowEventMap[E]) => void) =>
    window.addEventListener(name, listener, { signal, capture: true })
  listen('pointermove', (event) => {
    if (event.pointerId !== pointerId) return
    at = { x: event.clientX, y: event.clientY }
    if (isHeld || Math.hypot(at.x - start.x, at.y - start.y) < DRAG_THRESHOLD_PX) return
    if (isTouch) finish(false)
    else hold()
  })
  listen('pointerup', (event) => {
    if (event.pointerId !== pointerId) return
    at = { x: event.clientX, y: event.clientY }
    if (isHeld) options.current.onOver(document.elementFromPoint(at.x, at.y), at)
    finish(true)
  })
  listen('pointercancel', () => finish(false))
  listen('keydown', (event) => {
    if (event.key !== 'Escape' || !isHeld) return
    event.stopPropagation()
    finish(false)
  })
  if (!isTouch) return
  listen('contextmenu', (event) => event.preventDefault())
  wait = setTimeout(hold, LONG_PRESS_MS)
}

/** Suppresses the click that ends a drag. */
function suppressClick(): void {
  const swallow = (click: Event) => {
    click.preventDefault()
    click.stopPropagation()
  }
  window.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
}
