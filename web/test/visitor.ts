import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Client } from '../../server/test/client.ts'
import { signInOnPage } from '../../server/test/own-page.ts'
import type { Person } from '../../server/test/people.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser complained of, and requests that left for elsewhere. */
  readonly complaints: string[]
}

export interface VisitOptions {
  /** Signed in already. */
  readonly as?: Person
  readonly theme?: 'light' | 'dark'
  readonly width?: number
}

/** Somebody opens a page. */
export async function visit(browser: Browser, api: Client, path: string, options: VisitOptions = {}): Promise<Visit> {
  const { as, theme = 'light', width = 1440 } = options
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 844 : 900 },
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  if (as) {
    const { cookie } = await signInOnPage(api, as, { agent: FIREFOX })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: api.origin }])
  }
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // An answer that refuses is no fault of the page; that it says so is tested by what it shows.
    const isRefusal = /the server responded with a status of 4\d\d/.test(message.text())
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text())
  })
  page.on('pageerror', (error) => void complaints.push(error.message))
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== api.origin) complaints.push(`It asked ${request.url()}`)
  })
  await page.goto(`${api.origin}${path}`)
  return { page, context, complaints }
}
