import type { Locator, Page } from 'playwright-core'

/** Screenshots have no pointer: an arrow follows the mouse. Styles are set by script, because CSP forbids attributes. */
const DRAW_POINTER = `addEventListener('DOMContentLoaded', () => {
  const arrow = document.createElement('div')
  arrow.innerHTML = '<svg width="22" height="26" viewBox="0 0 22 26"><path d="M2 2v19l5-5 3.5 8 3.5-1.5-3.5-8h7z" fill="#111" stroke="#fff" stroke-width="1.5"/></svg>'
  const set = (styles) => { for (const [name, value] of Object.entries(styles)) arrow.style.setProperty(name, value) }
  set({ position: 'fixed', left: '0', top: '0', 'z-index': '2147483647', 'pointer-events': 'none', display: 'none' })
  arrow.ariaHidden = 'true'
  document.documentElement.append(arrow)
  addEventListener('pointermove', ({ clientX, clientY }) =>
    set({ display: 'block', transform: 'translate(' + clientX + 'px, ' + clientY + 'px)' }), true)
})`

const STEPS = 9

interface Point {
  readonly x: number
  readonly y: number
}

export async function showPointer(page: Page): Promise<void> {
  await page.addInitScript(DRAW_POINTER)
}

export async function middleOf(element: Locator): Promise<Point> {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element is not visible.')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Moves the mouse in steps, slower at both ends. */
export async function glide(page: Page, from: Point, to: Point, afterStep: () => Promise<void>): Promise<void> {
  for (let step = 1; step <= STEPS; step++) {
    const share = (1 - Math.cos((Math.PI * step) / STEPS)) / 2
    await page.mouse.move(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
    await afterStep()
  }
}
