import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

const FLAGS = [
  '--no-sandbox', // Chromium refuses to run as root with a sandbox.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', // Blocks access to the internet.
]

const ACTION_TIMEOUT_MS = 90_000

/** The path of the browser; undefined: tests that need it are skipped. */
export const CHROMIUM = process.env['WAYPOST_CHROMIUM'] ?? findOnPath('chromium')

export function startBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error('There is no Chromium: `npm run setup` installs it.')
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
}

/**
 * A new window. Its actions wait long, because a machine may be several times slower than usual. Unless a test asks for
 * it, there is no service worker: requests that it answers could not be intercepted.
 */
export async function openWindow(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options })
  context.setDefaultTimeout(ACTION_TIMEOUT_MS)
  return context
}

function findOnPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
