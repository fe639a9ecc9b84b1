import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { TOM } from '../../../server/test/fixtures/people.ts'
import { plantHarvest } from '../../test/harvest.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('many artifacts at once (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const harvest = await plantHarvest(api)
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const path = `/trackers/${harvest}?q=name+%3D+%22row+25%22+ORDER+BY+%40id`
  const shown = (page: Page, words: string) => page.getByText(words).first().waitFor()
  const done = async () => {
    const { json } = await api.get(`/trackers/${harvest}/artifacts?values=all&limit=1000`, { as: TOM })
    // oxlint-disable-next-line typescript/no-explicit-any -- of an answer
    return json.filter(({ title, status }: any) => title.includes('row 25') && status === 'Done').length
  }
  const visibleDoneRows = (page: Page) => page.getByRole('row').filter({ hasText: 'Done' }).count()

  /** Artifacts without crates may not take the step; nothing is written yet. */
  async function expectPlan(dialog: Locator): Promise<void> {
    await dialog.getByText('6 will change').waitFor()
    await dialog.getByText('5 cannot be changed:').waitFor()
    await dialog.getByText('Crates (crates) must not be empty').waitFor()
    expect(await done()).toBe(0)
  }

  test('by mouse: select, preview, change, and undo', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    await shown(page, '11 rows')
    const boxes = page.getByRole('checkbox', { name: /^Choose row #/ })
    await boxes.first().click()
    await boxes.nth(3).click({ modifiers: ['Shift'] })
    await shown(page, '4 chosen')
    const bar = page.getByRole('toolbar', { name: 'Chosen artifacts' })
    const [box, table] = await Promise.all([bar.boundingBox(), page.getByRole('grid').boundingBox()])
    expect(box && table && box.y > table.y + table.height / 2).toBe(true)
    await bar.getByRole('button', { name: 'State' }).click()
    expect(await page.getByRole('dialog').getByLabel('State').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Choose none' }).click()
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Choose all' }).click()
    await shown(page, '11 chosen')
    await page.getByRole('button', { name: 'Edit chosen…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 11 artifacts' })
    await dialog.getByLabel('Field').selectOption('State')
    await dialog.getByLabel('State').selectOption('Done')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await expectPlan(dialog)

    await dialog.getByRole('button', { name: 'Change 6 artifacts' }).click()
    await dialog.waitFor({ state: 'detached' })
    await shown(page, 'Changed 6 artifacts.')
    expect(await done()).toBe(6)
    await expect.poll(() => visibleDoneRows(page), patient).toBe(6)
    await page.getByRole('button', { name: 'Undo' }).click()
    await shown(page, 'Taken back: 6.')
    expect(await done()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard alone: select, preview, change, and undo', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    const { keyboard } = page
    const grid = page.getByRole('grid')
    await shown(page, '11 rows')
    await tabTo(grid)
    await keyboard.press('Control+Home')
    await keyboard.press('x')
    await keyboard.press('Shift+ArrowDown')
    await shown(page, '2 chosen')
    await keyboard.press('Control+a')
    await shown(page, '11 chosen')
    await keyboard.press('b')
    const dialog = page.getByRole('dialog', { name: 'Edit 11 artifacts' })
    await dialog.waitFor()
    const field = dialog.getByLabel('Field')
    await tabTo(field)
    // One step too far and back: the list keeps the focus.
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) {
      await keyboard.press(key)
      await inFocus(field).waitFor()
    }
    await tabTo(dialog.getByLabel('State'))
    await keyboard.type('Done')
    await tabTo(dialog.getByRole('button', { name: 'Preview' }))
    await keyboard.press('Enter')
    await expectPlan(dialog)

    await inFocus(dialog.getByRole('button', { name: 'Change 6 artifacts' })).waitFor()
    await keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await shown(page, 'Changed 6 artifacts.')
    expect(await done()).toBe(6)
    await expect.poll(() => visibleDoneRows(page), patient).toBe(6)
    await inFocus(grid).waitFor()
    await keyboard.press('u')
    await shown(page, 'Taken back: 6.')
    expect(await done()).toBe(0)
    await keyboard.press('?')
    await shown(page, 'Table: select the row')
    await keyboard.press('Escape')
    await inFocus(grid).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
