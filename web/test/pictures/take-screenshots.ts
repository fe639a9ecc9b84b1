import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { print } from '../../../server/src/commands/print.ts'
import { startBrowser } from '../../../server/test/harness/browser.ts'
import { findDemoIds } from './demo-ids.ts'
import { type DemoIds, type DemoScreen, DEMO_SCREENS, FIRST_SCREEN } from './demo-screens.ts'
import { type DemoSite, openWindowOf, startDemoSite } from './demo-site.ts'

// Takes the screenshots of `docs/screenshots` from the demo data: `npm run screenshots`.

const LOOKS = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 390, height: 844 },
] as const

/** Text stays sharp with few colours, and files are a third as large. */
const COLOURS = 64

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'docs/screenshots' }, only: { type: 'string' } },
})

await mkdir(values.out, { recursive: true })
const taken = new Set<string>()
const browser = await startBrowser()
try {
  if (values.only !== FIRST_SCREEN.name)
    await onSite({ isEmpty: false }, async (site) => takeAll(browser, site, DEMO_SCREENS, await findDemoIds(site)))
  if (values.only === undefined || values.only === FIRST_SCREEN.name)
    await onSite({ isEmpty: true }, (site) => takeAll(browser, site, [FIRST_SCREEN], { tasks: 0, bugs: 0, bug: 0 }))
  if (values.only === undefined) await deleteOthers()
} finally {
  await browser.close()
}

/** Deletes pictures of screens that are no longer in the list. */
async function deleteOthers(): Promise<void> {
  const files = await readdir(values.out)
  for (const file of files) if (file.endsWith('.png') && !taken.has(file)) await rm(join(values.out, file))
}

async function onSite(options: { isEmpty: boolean }, use: (site: DemoSite) => Promise<void>): Promise<void> {
  const site = await startDemoSite(options)
  try {
    await use(site)
  } finally {
    await site.stop()
  }
}

async function takeAll(chromium: Browser, site: DemoSite, all: readonly DemoScreen[], ids: DemoIds): Promise<void> {
  const screens = all.filter(({ name }) => values.only === undefined || name === values.only)
  for (const login of new Set(screens.map(({ as }) => as)))
    for (const { theme, width, height } of LOOKS) {
      const page = await openWindowOf(login, {
        browser: chromium,
        site,
        viewport: { width, height },
        colorScheme: theme,
        hasTouch: width < 600,
      })
      for (const screen of screens.filter(({ as }) => as === login)) {
        await page.goto(`${site.url}${screen.path(ids)}`)
        await takePicture(page, screen, `${screen.name}-${theme}-${width}`)
      }
      await page.context().close()
    }
}

async function takePicture(page: Page, { shows, prepare }: DemoScreen, name: string): Promise<void> {
  await page.getByText(shows).filter({ visible: true }).first().waitFor()
  await prepare?.(page)
  await page.locator('[class*=skeleton], [class*=counting]').first().waitFor({ state: 'detached' })
  await page.evaluate('Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))')
  const bytes = await page.screenshot({ animations: 'disabled' })
  const small = await sharp(bytes).png({ palette: true, colours: COLOURS, effort: 10 }).toBuffer()
  await writeFile(join(values.out, `${name}.png`), small)
  taken.add(`${name}.png`)
  print(`${name}: ${Math.round(small.length / 1024)} kB`)
}
