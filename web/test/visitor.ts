import { openWindow } from '../../server/test/harness/browser.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { TestClient } from '../../server/test/harness/client.ts'
import { signInWithCookie } from '../../server/test/harness/browser-requests.ts'
import type { TestPerson } from '../../server/test/fixtures/people.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'

export const VISITOR_TIME_ZONE = 'Europe/Berlin'

export interface BrowserVisit {
  readonly page: Page
  readonly context: BrowserContext
  /** Console errors and requests to other hosts. */
  readonly complaints: string[]
}

export interface VisitOptions {
  /** The account that is signed in. */
  readonly as?: TestPerson
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  /** The language of the browser. */
  readonly locale?: string
  readonly hasTouch?: boolean
  /** Pages are kept for work without a connection. */
  readonly hasServiceWorker?: boolean
}

/** Opens a page in a new browser context. */
export async function visit(
  browser: Browser,
  api: TestClient,
  path: string,
  options: VisitOptions = {},
): Promise<BrowserVisit> {
  const { as, theme = 'light', width = 1440, locale = 'en-GB', hasTouch = false, hasServiceWorker = false } = options
  const context = await openWindow(browser, {
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: theme,
    locale,
    hasTouch,
    serviceWorkers: hasServiceWorker ? 'allow' : 'block',
    timezoneId: VISITOR_TIME_ZONE,
    reducedMotion: 'reduce',
  })
  if (as) {
    const { cookie } = await signInWithCookie(api, as, { agent: FIREFOX })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: api.origin }])
  }
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // A 4xx status is not an error of the page; tests check how the page shows it.
    const isRefusal = /the server responded with a status of 4\d\d/.test(message.text())
    const isBlocked = message.text() === 'Service Worker registration blocked by Playwright'
    if (['error', 'warning'].includes(message.type()) && !isRefusal && !isBlocked) complaints.push(message.text())
  })
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== api.origin) complaints.push(`It asked ${request.url()}`)
  })
  await page.goto(`${api.origin}${path}`)
  return { page, context, complaints }
}
