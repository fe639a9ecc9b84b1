import type { Page } from 'playwright-core'

/**
 * Milliseconds from an action, or from an earlier moment, until a condition holds and its frame is painted, by the
 * clock of the page.
 */
export function timeUntil(page: Page, action: string, condition: string, since = 'performance.now()'): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const began = ${since}
    const look = () => {
      if (performance.now() - began > 30000) return reject(new Error('It never came.'))
      if (!(${condition})) return requestAnimationFrame(look)
      // The next frame starts after this one is painted.
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
    }
    ${action}
    requestAnimationFrame(look)
  })`)
}

/** The time when a text is painted, by the clock of the machine. */
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

/** The browser does not report shorter events. */
const MIN_REPORTED_DURATION_MS = 16

/** The delay from each key or click to the next paint, by the Event Timing API. */
export async function inputDelays(page: Page, count: number, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(`(() => {
    window.told = []
    window.observer = new PerformanceObserver((list) => window.told.push(...list.getEntries()))
    window.observer.observe({ type: 'event', durationThreshold: ${MIN_REPORTED_DURATION_MS} })
  })()`)
  await act()
  const durations = await page.evaluate<number[]>(`new Promise((resolve) => setTimeout(() => {
    window.told.push(...window.observer.takeRecords())
    window.observer.disconnect()
    const kinds = ['keydown', 'pointerdown', 'click']
    const longest = Map.groupBy(window.told.filter(({ name }) => kinds.includes(name)), ({ interactionId, startTime }) => interactionId || startTime)
    resolve([...longest.values()].map((entries) => Math.max(...entries.map(({ duration }) => duration))))
  }, 200))`)
  return [
    ...durations.slice(0, count),
    ...Array.from({ length: Math.max(0, count - durations.length) }, () => MIN_REPORTED_DURATION_MS),
  ]
}

/** The transferred bytes of the scripts of this page. */
export function scriptBytes(page: Page): Promise<number> {
  return page.evaluate<number>(`performance.getEntriesByType('resource')
    .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`)
}
