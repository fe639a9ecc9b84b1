import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { TOM } from '../../../server/test/fixtures/people.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'
import { chooseInMenu } from '../../test/menu.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('columns of the table (needs Chromium: npm run setup)', async () => {
  const { api, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const path = `/trackers/${crates.tracker.id}`
  const head = (page: Page, name: string) => page.getByRole('columnheader', { name })
  const heads = async (page: Page) => (await page.getByRole('columnheader').allTextContents()).slice(2)
  const widthOf = async (page: Page, name: string) => Math.round((await head(page, name).boundingBox())?.width ?? 0)
  const drag = async (page: Page, from: { x: number; y: number }, by: number) => {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + by / 2, from.y, { steps: 3 })
    await page.mouse.move(from.x + by, from.y)
    await page.mouse.up()
  }

  test('are moved and resized by mouse and by keyboard, and a report keeps them with the groups', async () => {
    const { page, context, complaints } = await visit(browser, api, `${path}?columns=summary,status,size,due`, {
      as: TOM,
    })
    await page.getByText('6 rows').waitFor()
    const [size, status] = [await head(page, 'Size').boundingBox(), await head(page, 'Status').boundingBox()]
    if (!size || !status) throw new Error('There are no headers.')
    await drag(page, { x: size.x + 20, y: size.y + 10 }, status.x + 5 - size.x - 20)
    await expect.poll(() => heads(page), patient).toEqual(['Summary', 'Size', 'Status', 'Due'])

    const due = await head(page, 'Due').boundingBox()
    const edge = await head(page, 'Status').boundingBox()
    if (!due || !edge) throw new Error('There are no headers.')
    await drag(page, { x: edge.x + edge.width - 3, y: edge.y + 10 }, 60)
    await expect.poll(() => widthOf(page, 'Status'), patient).toBe(Math.round(edge.width) + 60)
    expect(await heads(page)).toEqual(['Summary', 'Size', 'Status', 'Due'])

    // By keyboard: from the first row to the header of the third column.
    await page.getByRole('grid').focus()
    for (const key of ['ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
    await page.keyboard.press('Alt+ArrowLeft')
    await expect.poll(() => heads(page), patient).toEqual(['Summary', 'Status', 'Size', 'Due'])
    const before = await widthOf(page, 'Status')
    await page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => widthOf(page, 'Status'), patient).toBe(before + 16)

    await chooseInMenu(page, 'Group', 'Size')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Save as…' }).click()
    await page.getByLabel('Name').fill('By size')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/report=\d+$/)
    await page.reload()
    await page.getByRole('row', { name: 'Small 3 rows' }).waitFor()
    expect(await heads(page)).toEqual(['Summary', 'Status', 'Due'])
    expect(await widthOf(page, 'Status')).toBe(before + 16)
    await chooseInMenu(page, 'Group', 'No groups')
    await expect.poll(() => heads(page), patient).toEqual(['Summary', 'Status', 'Size', 'Due'])
    expect(complaints).toEqual([])
    await context.close()
  })
})
