const SCROLL_EDGE_PX = 48
const SCROLL_STEP_PX = 14

interface Point {
  readonly x: number
  readonly y: number
}

/** Scrolls while something is dragged near an edge: the outer element sideways, and the innermost scroller up and down. */
export function scrollAtEdges(outer: HTMLElement, below: Element | null, { x, y }: Point): void {
  scrollSideways(outer, x)
  const inner = verticalScroller(below)
  const { top, bottom } = inner?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight }
  const down = stepAt(y, Math.max(top, 0), Math.min(bottom, innerHeight))
  if (down !== 0) (inner ?? document.documentElement).scrollBy({ top: down, behavior: 'instant' })
}

export function scrollSideways(outer: HTMLElement, x: number): void {
  const { left, right } = outer.getBoundingClientRect()
  const across = stepAt(x, left, Math.min(right, innerWidth))
  if (across !== 0) outer.scrollBy({ left: across, behavior: 'instant' })
}

function stepAt(at: number, start: number, end: number): number {
  if (at < start + SCROLL_EDGE_PX) return -SCROLL_STEP_PX
  return at > end - SCROLL_EDGE_PX ? SCROLL_STEP_PX : 0
}

/** Undefined: the document. */
function verticalScroller(element: Element | null): Element | undefined {
  if (!element || element === document.documentElement || element === document.body) return undefined
  const isScroller = ['auto', 'scroll'].includes(getComputedStyle(element).overflowY)
  return isScroller && element.scrollHeight > element.clientHeight ? element : verticalScroller(element.parentElement)
}
