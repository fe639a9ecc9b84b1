import type { Page } from 'playwright-core'

/**
 * From an action, or from an earlier moment, until a condition holds and the frame that shows it is painted, in
 * milliseconds, by the clock of the page.
 */
export function timeUntil(page: Page, action: string, condition: string, since = 'performance.now()'): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const began = ${since}
    const look = () => {
      if (performance.now() - began > 30000) return reject(new Error('It never came.'))
      if (!(${condition})) return requestAnimationFrame(look)
      // The next frame begins when this one is painted.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
    }
    ${action}
    requestAnimationFrame(look)
  })`)
}

/** The moment at which a text is painted, on the clock of the machine. */
export function watchForText(page: Page, text: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const began = performance.now()
    const look = () => {
      if (performance.now() - began > 30000) return reject(new Error('It never came.'))
      if (!document.querySelector('main').textContent.includes(${JSON.stringify(text)})) return requestAnimationFrame(look)
      requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())))
    }
    requestAnimationFrame(look)
  })`)
}

/** As short as the browser tells; what is shorter it does not. */
const SHORTEST = 16

/** From each key or click to the next paint, as the browser itself measures it. */
export async function inputDelays(page: Page, count: number, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(`(() => {
    window.told = []
    window.observer = new PerformanceObserver((list) => window.told.push(...list.getEntries()))
    window.observer.observe({ type: 'event', durationThreshold: ${SHORTEST} })
  })()`)
  await act()
  const told = await page.evaluate<number[]>(`new Promise((resolve) => setTimeout(() => {
    window.told.push(...window.observer.takeRecords())
    window.observer.disconnect()
    const kinds = ['keydown', 'pointerdown', 'click']
    const longest = Map.groupBy(window.told.filter(({ name }) => kinds.includes(name)), ({ interactionId, startTime }) => interactionId || startTime)
    resolve([...longest.values()].map((entries) => Math.max(...entries.map(({ duration }) => duration))))
  }, 200))`)
  return [...told.slice(0, count), ...Array.from({ length: Math.max(0, count - told.length) }, () => SHORTEST)]
}

/** What the scripts of this page weighed on the wire. */
export function scriptBytes(page: Page): Promise<number> {
  return page.evaluate<number>(`performance.getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)
}
