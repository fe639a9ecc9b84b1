import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { DEMO_ARTIFACTS, DEMO_TRACKER } from '../../../server/src/commands/demo/demo-trackers.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { makeTestArtifact, makeTestTracker } from '../../../server/test/fixtures/every-field.ts'
import { MARA, OLGA, TOM } from '../../../server/test/fixtures/people.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

describe.skipIf(CHROMIUM === undefined)('the layout of an artifact (needs Chromium: npm run setup)', async () => {
  const { api, deliveries } = await startFewPages()
  const demo = await makeTestTracker(api, DEMO_TRACKER)
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const entries = (page: Page) => page.getByRole('region', { name: 'Comments and history' }).getByRole('listitem')
  const rail = (page: Page) => page.getByRole('complementary', { name: 'Properties' })
  const boxOf = async (page: Page, locator: ReturnType<typeof entries>) => {
    const box = await locator.first().boundingBox()
    if (!box) throw new Error(`It is not shown: ${page.url()}`)
    return box
  }
  const make = (values: object) =>
    makeTestArtifact(api, deliveries.tracker, { summary: 'Mend the gate', status: 'Open', ...values })

  test('the discussion of the demo’s artifacts begins within the first 900 px, in a column of 720 px', async () => {
    const ids = [deliveries.id]
    for (const values of DEMO_ARTIFACTS) ids.push(await makeTestArtifact(api, demo, values))
    ids.push(await make({ details: 'A long line.\n\n'.repeat(80) }))
    for (const id of ids) {
      const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: MARA })
      await entries(page).first().waitFor()
      expect((await boxOf(page, entries(page))).y).toBeLessThan(900)
      const column = await boxOf(page, page.getByRole('region', { name: 'Comments and history' }))
      expect(column.width).toBe(720)
      const properties = await boxOf(page, rail(page))
      expect(properties.x).toBeGreaterThan(column.x + column.width)
      expect(properties.y).toBeLessThan(100)
      await context.close()
    }
  })

  test('a long description is opened on request, and the properties stay in view while the page scrolls', async () => {
    const id = await make({ details: 'A long line.\n\n'.repeat(80) })
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    await page.getByRole('button', { name: 'Read more' }).click()
    await page.getByRole('button', { name: 'Show less' }).waitFor()
    expect((await boxOf(page, entries(page))).y).toBeGreaterThan(2000)
    await entries(page).last().scrollIntoViewIfNeeded()
    expect((await boxOf(page, rail(page))).y).toBeGreaterThanOrEqual(0)
    await rail(page).getByText('Status', { exact: true }).waitFor()
    await context.close()
  })

  test('the timeline has all, comments alone or changes alone, in either order', async () => {
    const id = await make({ points: 1 })
    const put = (as: typeof TOM, body: object) => api.put(`/artifacts/${id}`, { as, body })
    await put(TOM, { comment: { body: 'I have the key.' } })
    await put(MARA, { values_by_field: { points: 2 } })
    await put(MARA, { values_by_field: { points: 3 } })
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: OLGA })
    await expect.poll(() => entries(page).count()).toBe(3) // The two quick changes by Mara are one entry.
    await entries(page).last().getByText('Points').waitFor()
    expect(await entries(page).last().textContent()).toMatch(/1\s*→.*3/)
    await page.getByRole('button', { name: 'Comments', exact: true }).click()
    await expect.poll(() => entries(page).allTextContents()).toEqual([expect.stringContaining('I have the key.')])
    await page.getByRole('button', { name: 'History' }).click()
    await expect.poll(() => entries(page).count()).toBe(2)
    await page.getByRole('button', { name: 'Oldest first' }).click()
    expect(await entries(page).first().textContent()).toContain('Points')
    await page.reload()
    await page.getByRole('button', { name: 'Newest first' }).waitFor()
    await context.close()
  })

  test('children have their progress, and references their status and people', async () => {
    const child = await make({ summary: 'Oil the hinges', assigned_to: ['tom'] })
    const id = await make({ details: `After art #${child}.` })
    const all_links = [{ id: child, type: '_is_child', direction: 'forward' }]
    const values = [{ field_id: deliveries.tracker.field('links'), all_links }]
    expect((await api.put(`/artifacts/${id}`, { as: MARA, body: { values } })).status).toBe(200)
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    await page.getByText('0 of 1 done').waitFor()
    await page.locator('summary', { hasText: 'References' }).click()
    const rows = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Oil the hinges' }) })
    await expect.poll(() => rows.count()).toBe(2)
    for (const row of await rows.all()) expect(await row.textContent()).toMatch(/Oil the hingesOpen.*Tom Tiller/)
    await rows.first().getByRole('link').click()
    await page.getByRole('heading', { name: 'Oil the hinges', level: 1 }).waitFor()
    await page.getByText('Part of').waitFor()
    await page.getByRole('link', { name: `delivery #${id} Mend the gate` }).click()
    await page.getByRole('heading', { name: 'Mend the gate', level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('at 390 px there is one column, and the whole properties open on request or for an edited value', async () => {
    const { page, context } = await visit(browser, api, `/artifacts/${deliveries.id}`, { as: MARA, width: 390 })
    const toggle = page.getByRole('button', { name: 'Properties' })
    await toggle.waitFor()
    const notifications = rail(page).getByLabel('Notifications')
    expect(await notifications.isVisible()).toBe(false)
    await toggle.click()
    await notifications.waitFor()
    await page.getByRole('button', { name: 'Edit Points' }).click()
    await page.getByRole('textbox', { name: 'Points' }).waitFor()
    await toggle.click()
    await page.getByRole('textbox', { name: 'Points' }).waitFor()
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await context.close()
  })
})
