import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'
import { chooseInMenu } from '../../test/menu.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('a shared report (needs Chromium: npm run setup)', async () => {
  const { api, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const path = `/trackers/${crates.tracker.id}`
  const heads = async (page: Page) => (await page.getByRole('columnheader').allTextContents()).slice(2)

  test('opens with its filter, columns and groups for people who may not change it, and they save their own', async () => {
    const table = { type: 'table', columns: ['summary', 'size', 'weight'], grouped_by: { field: 'status' } }
    const body = { label: 'Heavy crates', public: true, expert_query: 'weight > 1', renderers: [table] }
    const { json: made } = await api.post(`${path}/tracker_reports`, { as: MARA, body })
    const { page, context, complaints } = await visit(browser, api, `${path}?report=${made.id}`, { as: TOM })
    await page.getByRole('row', { name: 'Empty 3 rows' }).waitFor()
    expect(await heads(page)).toEqual(['Summary', 'Size', 'Weight'])
    await page.getByText('Weight > 1', { exact: true }).waitFor()

    await chooseInMenu(page, 'Group', 'Size')
    await page.getByRole('row', { name: 'Large 3 rows' }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Name').fill('My crates')
    expect(
      await page
        .getByRole('dialog')
        .getByRole('checkbox', { name: /^Visible to everyone/ })
        .isDisabled(),
    ).toBe(true)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.url(), patient).not.toContain(`report=${made.id}`)
    await page.reload()
    await page.getByRole('row', { name: 'Large 3 rows' }).waitFor()
    await page.getByText('Weight > 1', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is saved from a changed table by an administrator, and each report has an address', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: MARA })
    await page.getByRole('columnheader', { name: 'Weight' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    await chooseInMenu(page, 'Group', 'Size')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Name').fill('By size')
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /^Visible to everyone/ })
      .check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/report=\d+$/)
    const address = new URL(page.url())
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)

    await chooseInMenu(page, 'Report', 'All artifacts')
    await page.getByRole('row', { name: /^Large/ }).waitFor({ state: 'detached' })
    await chooseInMenu(page, 'Report', 'By size')
    await page.getByRole('row', { name: /^Large/ }).waitFor()
    expect(complaints).toEqual([])
    await context.close()

    const other = await visit(browser, api, `${address.pathname}${address.search}`, { as: TOM })
    await other.page.getByRole('row', { name: /^Large/ }).waitFor()
    await other.context.close()
  })
})
