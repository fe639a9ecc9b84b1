import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../../server/test/harness/browser.ts'
import { MARA, TOM } from '../../../../server/test/fixtures/people.ts'
import { inFocus } from '../../../test/keyboard.ts'
import { chooseInMenu } from '../../../test/menu.ts'
import { visit } from '../../../test/visitor.ts'
import { startFewPages } from '../../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('a table in groups (needs Chromium: npm run setup)', async () => {
  const { api, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const path = `/trackers/${crates.tracker.id}`
  const titles = [...crates.ids.keys()]
  /** The headers, and the titles of the rows below them. */
  const shown = async (page: Page) => {
    const rows = await page.locator('[role="rowgroup"]').last().getByRole('row').allTextContents()
    return rows.map((row) => titles.find((title) => row.includes(title)) ?? row)
  }
  const [cox = '', boskoop = '', quinces = '', pears = '', plums = '', walnuts = ''] = titles

  test('groups have counts and sums, and are collapsed and expanded by mouse and by keyboard', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    await page.getByText('6 rows').waitFor()
    await chooseInMenu(page, 'Group', 'Status')
    const [empty, packing] = ['Empty3 rowsWeight 36', 'Packing3 rowsWeight 36']
    await expect
      .poll(() => shown(page), patient)
      .toEqual([empty, walnuts, boskoop, cox, packing, plums, pears, quinces])
    await page.waitForURL(/group=status/)
    expect(await page.getByRole('columnheader', { name: 'Status' }).count()).toBe(0)
    await page.getByText('6 rows').waitFor()

    await page.getByRole('row', { name: 'Empty 3 rows' }).getByRole('button').click()
    await expect.poll(() => shown(page), patient).toEqual([empty, packing, plums, pears, quinces])
    await inFocus(page.getByRole('grid')).waitFor()
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await shown(page)).length, patient).toBe(8)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await shown(page)).length, patient).toBe(5)
    await page.reload()
    await expect.poll(() => shown(page), patient).toEqual([empty, packing, plums, pears, quinces])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a changed value moves the row to its group, for others too', async () => {
    const query = `?group=status&q=${encodeURIComponent('weight > 1 ORDER BY @id')}`
    const { page, context, complaints } = await visit(browser, api, `${path}${query}`, { as: TOM })
    const other = await visit(browser, api, `${path}${query}`, { as: MARA })
    for (const each of [page, other.page])
      await expect.poll(async () => (await shown(each)).slice(1, 4), patient).toEqual([cox, boskoop, walnuts])
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('s')
    await inFocus(page.getByRole('dialog', { name: 'Status' }).getByRole('combobox')).waitFor()
    await page.keyboard.press('2')
    for (const each of [page, other.page])
      await expect
        .poll(() => shown(each), patient)
        .toEqual(['Empty2 rowsWeight 24', boskoop, walnuts, 'Packing4 rowsWeight 48', cox, quinces, pears, plums])
    expect([...complaints, ...other.complaints]).toEqual([])
    await context.close()
    await other.context.close()
  })

  test('the header of a group stays in view while its rows scroll', async () => {
    const { page, context, complaints } = await visit(browser, api, `${path}?group=status`, { as: TOM })
    await page.getByRole('row', { name: 'Empty' }).waitFor()
    await page.evaluate(`document.querySelector('[role="grid"]').style.maxHeight = '200px'`)
    const grid = page.getByRole('grid')
    const pinned = grid.locator('[aria-hidden="true"]').filter({ hasText: 'rows' })
    expect(await pinned.count()).toBe(0)
    await grid.focus()
    await page.keyboard.press('Control+End')
    await expect.poll(() => pinned.allTextContents(), patient).toEqual([expect.stringMatching(/^Packing/)])
    await pinned.getByRole('button', { includeHidden: true }).click()
    await expect.poll(async () => (await shown(page)).at(-1), patient).toMatch(/^Packing/)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('people and dates make groups; a row with two people is in both', async () => {
    const id = crates.ids.get(plums)
    await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { assigned_to: ['tom', 'uma'] } } })
    const { page, context, complaints } = await visit(browser, api, `${path}?group=assigned_to`, { as: TOM })
    const rows = async () => (await shown(page)).map((row) => row.replace(/^[A-Z]{2}(?=[A-Z])/, ''))
    await expect
      .poll(rows, patient)
      .toEqual([
        'Tom Tiller4 rowsWeight 48',
        plums,
        pears,
        quinces,
        cox,
        'Uma Under2 rowsWeight 24',
        plums,
        boskoop,
        'None1 rowWeight 12',
        walnuts,
      ])
    await page.getByText('6 rows').waitFor()

    // The second place of the row stays active while rows load again.
    await page.getByRole('grid').focus()
    for (let row = 0; row < 6; row++) await page.keyboard.press('ArrowDown')
    await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { weight: 13 } } })
    await page.getByRole('row', { name: 'Uma Under 2 rows Weight 25' }).waitFor()
    const active = await page.getByRole('grid').getAttribute('aria-activedescendant')
    expect(active).toMatch(/-6-\d+$/)

    await chooseInMenu(page, 'Group', 'Due, by quarter')
    await expect.poll(async () => (await shown(page))[0], patient).toMatch(/^Oct.*Dec 2026/)
    expect((await shown(page)).length).toBe(7)
    expect(complaints).toEqual([])
    await context.close()
  })
})
