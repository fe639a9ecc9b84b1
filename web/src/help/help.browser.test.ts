import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { BUGS } from '../../../server/test/fixtures/seed-ids.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

describe.skipIf(CHROMIUM === undefined)('the help (needs Chromium: npm run setup)', async () => {
  const { api, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  test('is opened from the screens that it explains', async () => {
    const { page, context, complaints } = await visit(browser, api, '/search', { as: MARA })
    const help = page.locator('#main').getByRole('link', { name: 'Help', exact: true })
    const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
    await help.click()
    await title('Search').waitFor()
    await page.waitForURL('**/help/search')
    await page.goto(`${api.origin}/trackers/${BUGS}/administration/workflow`)
    await help.click()
    await title('Workflow').waitFor()
    await page.waitForURL('**/help/workflow')
    await page.goto(`${api.origin}/trackers/${deliveries.tracker.id}`)
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('f')
    await help.click()
    await title('Query language').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByRole('link', { name: 'Help', exact: true }).click()
    await title('Keys').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('has a page for each topic, and goes to the first from another address', async () => {
    const { page, context, complaints } = await visit(browser, api, '/help/no-such-topic', { as: TOM })
    await page.waitForURL('**/help/search')
    const topics = page.getByRole('navigation', { name: 'Help' })
    for (const name of ['Keys', 'Query language', 'Workflow', 'Search']) {
      await topics.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})
