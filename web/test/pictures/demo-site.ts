import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { choosePort } from '../../../server/src/commands/choose-port.ts'
import { demoPassword } from '../../../server/src/commands/demo/demo-people.ts'
import { openWindow } from '../../../server/test/harness/browser.ts'
import { VISITOR_TIME_ZONE } from '../visitor.ts'

const DEV = fileURLToPath(new URL('../../../server/src/commands/dev.ts', import.meta.url))

export interface DemoSite {
  readonly url: string
  /** Reads a route of the API as a person. */
  read(login: string, path: string): Promise<unknown>
  stop(): Promise<void>
}

/** `npm run dev` with a new database, which is deleted at the end; `isEmpty`: without demo data. */
export async function startDemoSite({ isEmpty = false } = {}): Promise<DemoSite> {
  const data = await mkdtemp(join(tmpdir(), 'waypost-demo-'))
  const port = await choosePort(0)
  const options = ['--port', String(port), '--data', data, '--json', ...(isEmpty ? ['--empty'] : [])]
  const server = spawn(process.execPath, [DEV, ...options], {
    // The browsers of tests reach no other host.
    env: { ...process.env, WAYPOST_PUBLIC_URL: `http://127.0.0.1:${port}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  const url = await Promise.race([
    once(createInterface(server.stdout), 'line').then(([line]) => String(JSON.parse(String(line)).url)),
    ended.then((): never => {
      throw new Error('The server ended before it was ready.')
    }),
  ])
  return {
    url,
    async read(login, path) {
      const authorization = `Basic ${Buffer.from(`${login}:${demoPassword(login)}`).toString('base64')}`
      const response = await fetch(`${url}/api${path}`, { headers: { authorization } })
      if (!response.ok) throw new Error(`${path}: ${response.status}`)
      return response.json()
    },
    async stop() {
      server.kill('SIGTERM')
      await ended
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** A browser window of a person who has signed in. */
export async function openWindowOf(
  login: string,
  { browser, site, ...options }: { browser: Browser; site: DemoSite } & BrowserContextOptions,
): Promise<Page> {
  const context = await openWindow(browser, {
    locale: 'en-GB',
    timezoneId: VISITOR_TIME_ZONE,
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  await page.goto(`${site.url}/sign-in`)
  await page.getByLabel('Login or e-mail address').fill(login)
  await page.getByRole('textbox', { name: 'Password' }).fill(demoPassword(login))
  await page.keyboard.press('Enter')
  await page.waitForURL(({ pathname }) => pathname === '/')
  return page
}
