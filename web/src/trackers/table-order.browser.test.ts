import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, OLGA, TOM } from '../../../server/test/fixtures/people.ts'
import { inFocus } from '../../test/keyboard.ts'
import { chooseInMenu } from '../../test/menu.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('a table in an order by hand (needs Chromium: npm run setup)', async () => {
  const { api, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const path = `/trackers/${crates.tracker.id}`
  const titles = [...crates.ids.keys()]
  const grips = (page: Page) => page.locator('[data-grip]')
  const shown = async (page: Page) => {
    const rows = await page.getByRole('row').allTextContents()
    return rows.slice(1).map((row) => titles.find((title) => row.includes(title)))
  }
  const stored = async () => {
    const { json } = await api.get(`${path}/artifacts?order_by=rank`, { as: MARA })
    return json.map(({ title }: { title: string }) => title)
  }

  test('rows are moved by a grip and by Alt with arrow keys; undo returns them', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    await page.getByText('6 rows').waitFor()
    expect(await grips(page).count()).toBe(0)
    await page.getByRole('grid').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.getByText('Choose the order “By hand” to move rows.').waitFor()
    await chooseInMenu(page, 'Order', 'By hand')
    await expect.poll(() => shown(page), patient).toEqual(titles)

    const [from, to] = [await grips(page).nth(4).boundingBox(), await grips(page).nth(1).boundingBox()]
    if (!from || !to) throw new Error('There are no grips.')
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(from.x + 8, from.y - 8)
    await page.mouse.move(to.x + 8, to.y + 4, { steps: 4 })
    await page.mouse.up()
    const moved = [titles[0], titles[4], titles[1], titles[2], titles[3], titles[5]]
    await expect.poll(stored, patient).toEqual(moved)
    await expect.poll(() => shown(page), patient).toEqual(moved)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(stored, patient).toEqual(titles)
    await expect.poll(() => shown(page), patient).toEqual(titles)

    const grid = page.getByRole('grid')
    await grid.focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(stored, patient).toEqual([titles[1], titles[0], ...titles.slice(2)])
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(stored, patient).toEqual(titles)
    await inFocus(grid).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('people who may change nothing have no grips', async () => {
    const query = encodeURIComponent('ORDER BY @rank')
    const { page, context } = await visit(browser, api, `${path}?q=${query}`, { as: OLGA })
    await page.getByText('6 rows').waitFor()
    expect(await grips(page).count()).toBe(0)
    await context.close()
  })
})
