import { expect, test } from 'vitest'
import { CHROMIUM, startBrowser, openWindow } from '../../../test/harness/browser.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { TOM } from '../../../test/fixtures/people.ts'

const { api } = await startWorld()

test.skipIf(CHROMIUM === undefined)(
  'the explorer runs a real call with a key, in a browser without the internet (needs Chromium: npm run setup)',
  async () => {
    await using browser = await startBrowser()
    const browserWindow = await openWindow(browser, { viewport: { width: 1280, height: 1000 } })
    const page = await browserWindow.newPage()
    const complaints: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
    page.on('pageerror', (error) => void complaints.push(error.message))
    page.on('requestfailed', (request) => void complaints.push(request.url()))

    await page.goto(`${api.origin}/api/explorer/`)
    await page.getByRole('button', { name: 'Authorize' }).click()
    const key = page.locator('.auth-container', { hasText: 'X-Auth-AccessKey' })
    await key.locator('input').fill(TOM.key)
    await key.getByRole('button', { name: 'Apply credentials' }).click()
    await page.getByRole('button', { name: 'Close', exact: true }).click()

    // Of many operations only those in the viewport are rendered.
    await page.getByPlaceholder('Filter by tag').fill('projects')
    const operation = page.locator('#operations-projects-listProjects')
    await operation
      .getByRole('button', { name: /projects/ })
      .first()
      .click()
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/projects')
    await operation.getByRole('button', { name: 'Execute' }).click()
    const response = await answered

    expect(response.status()).toBe(200)
    expect(await response.request().headerValue('x-auth-accesskey')).toBe(TOM.key)
    const shown = operation.locator('.live-responses-table tbody')
    expect(await shown.locator('.response-col_status').first().textContent()).toContain('200')
    expect(await shown.textContent()).toContain('"shortname": "orchard"')
    expect(complaints).toEqual([])
  },
)
