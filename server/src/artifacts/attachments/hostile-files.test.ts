import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser, openWindow } from '../../../test/harness/browser.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'
import { attach, makeFileTracker, uploadTestFile } from '../../../test/fixtures/uploads.ts'

const { api } = await startWorld({ seedOnce: true })

const RUNS = `fetch('/api/projects');document.title='it ran';document.cookie='stolen=1'`
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const PAGE = `<!doctype html><script>${RUNS}</script><img src="/api/version" onerror="${RUNS}">`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUNS}"><script>${RUNS}</script></svg>`

describe.skipIf(CHROMIUM === undefined)('an attachment with active content (needs Chromium: npm run setup)', () => {
  let browser: Browser
  let tracker: Awaited<ReturnType<typeof makeFileTracker>>
  beforeAll(async () => {
    browser = await startBrowser()
    tracker = await makeFileTracker(api)
  })
  afterAll(() => browser.close())

  const attached = async (bytes: Buffer | string, name: string, type: string) => {
    const id = await uploadTestFile(api, tracker.field('papers'), bytes, { name, type, as: TOM })
    await attach(api, tracker, [id])
    return `${api.origin}/files/${id}/${encodeURIComponent(name)}`
  }
  /** Follows a link as a person does; returns the requests it made and the stored data. */
  const follow = async (address: string) => {
    const context = await openWindow(browser, { acceptDownloads: true })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const downloaded = page.waitForEvent('download', { timeout: 3000 }).then(
      (download) => download.suggestedFilename(),
      () => undefined,
    )
    await page.goto(address).catch(() => undefined) // A download is not a page, so `goto` rejects.
    const name = await downloaded
    const title = await page.title()
    const cookies = await context.cookies()
    await context.close()
    return { name, title, cookies, asked: asked.filter((path) => !path.startsWith('/files/')) }
  }

  test.each([
    ['page.html', 'text/html', PAGE],
    ['page.txt', 'text/plain', PAGE],
    ['drawing.svg', 'image/svg+xml', SVG],
    ['drawing.png', 'image/png', SVG],
    ['sheet.xml', 'application/xml', `<?xml version="1.0"?><?xml-stylesheet href="/x.xsl"?>${SVG}`],
    ['both.gif', 'image/gif', Buffer.concat([GIF, Buffer.from(PAGE)])],
    ['script.js', 'text/javascript', RUNS],
  ])('C03 %s is downloaded, and nothing of it runs', async (name, type, bytes) => {
    const seen = await follow(await attached(bytes, name, type))

    expect(seen).toMatchObject({ name, cookies: [], asked: [] })
    expect(seen.title).not.toBe('it ran')
  })

  test('an image is displayed', async () => {
    const address = await attached(GIF, 'dot.gif', 'image/gif')
    const page = await (await openWindow(browser)).newPage()
    const answer = await page.goto(address)

    expect(answer?.headers()['content-type']).toBe('image/gif')
    expect(await page.locator('img').count()).toBe(1)
    await page.close()
  })

  test('text that looks like markup is displayed as text', async () => {
    const address = await attached(`hello\n${'x'.repeat(5000)}${PAGE}`, 'late.txt', 'text/plain')
    const page = await (await openWindow(browser)).newPage()
    await page.goto(address)

    expect(await page.title()).not.toBe('it ran')
    expect(await page.locator('script').count()).toBe(0)
    expect(await page.locator('pre').textContent()).toContain('<script>')
    await page.close()
  })
})
