import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { BUG_REPORT, BUGS, LEDGER, LEDGER_REPORT, ORCHARD } from '../../../server/test/fixtures/seed-ids.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }
const PATH = `/projects/${ORCHARD}/dashboard`

describe.skipIf(CHROMIUM === undefined)('dashboards (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const put = (widgets: readonly object[]) => api.put(PATH, { as: MARA, body: { widgets } })
  beforeEach(() => put([]))

  const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
  const titles = (page: Page) => page.locator('#main ul > li > section > div > h2').allTextContents()
  const stored = async (): Promise<(number | null)[]> =>
    (await api.get(PATH, { as: MARA })).json.widgets.map(({ report_id }: { report_id: number | null }) => report_id)

  /** The same steps by mouse and by keyboard. */
  const hands = {
    mouse: {
      press: (control: Locator) => control.click(),
      tick: (control: Locator) => control.check(),
      choose: async (select: Locator, label: string) => void (await select.selectOption({ label })),
    },
    keyboard: {
      press: async (control: Locator) => {
        await control.waitFor()
        await tabTo(control)
        await control.page().keyboard.press('Enter')
      },
      tick: async (control: Locator) => {
        await control.waitFor()
        await tabTo(control)
        await control.page().keyboard.press('Space')
      },
      choose: async (select: Locator, label: string) => {
        await select.locator('option', { hasText: label }).waitFor({ state: 'attached' })
        await tabTo(select)
        await select.page().keyboard.type(label)
      },
    },
  }

  test.each([
    { way: 'mouse', width: 1440 },
    { way: 'mouse', width: 390 },
    { way: 'keyboard', width: 1440 },
    { way: 'keyboard', width: 390 },
  ] as const)(
    'by $way, $width pixels wide: plan a report, pin it, and share the page with somebody who sees only what they may',
    async ({ way, width }) => {
      const { press, tick, choose } = hands[way]
      const label = `Open, ${way} ${width}`
      const { page, context, complaints } = await visit(browser, api, `/trackers/${BUGS}?report=0`, { as: MARA, width })
      await page.getByRole('grid').waitFor()
      if (way === 'keyboard') await page.keyboard.press('f')
      else {
        if (width === 390) await button(page, 'Filter and view').click()
        await button(page, 'Query language').click()
      }
      const query = page.getByRole('combobox', { name: 'query language' })
      await inFocus(query).waitFor()
      await page.keyboard.type('status = "Open"')
      await press(button(page, 'Apply'))
      await page.waitForURL(/q=status/)

      await press(button(page, 'More'))
      await press(button(page, 'Save as…'))
      await page.getByLabel('Name', { exact: true }).waitFor()
      await page.keyboard.type(label)
      await tick(page.getByLabel('Visible to everyone with access to the tracker'))
      await press(page.getByRole('dialog', { name: 'Save as a report' }).getByRole('button', { name: 'Save' }))
      await page.waitForURL(/report=\d+$/)
      await page.getByRole('dialog', { name: 'Save as a report' }).waitFor({ state: 'detached' })

      if (width === 390) await press(button(page, '1 filter')) // The controls of a phone are in a sheet.
      await press(button(page, 'More'))
      await press(button(page, 'Pin to a dashboard…'))
      const pin = page.getByRole('dialog', { name: `Pin “${label}” to a dashboard` })
      await pin.waitFor()
      if (way === 'mouse') await pin.getByRole('radio', { name: 'List' }).check()
      else {
        await tabTo(pin.getByRole('radio', { name: 'Chart' }))
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('ArrowDown')
      }
      await press(button(pin, 'Pin'))
      await page.getByText(`Pinned “${label}” to the dashboard of Orchard.`).first().waitFor()
      if (width === 390) await press(button(page.getByRole('dialog', { name: 'Filter and view' }), 'Close'))

      const main = page.locator('#main')
      await press(main.getByRole('link', { name: 'Orchard' }).first())
      await press(main.getByRole('link', { name: 'Dashboard', exact: true }))
      await page.getByRole('heading', { name: 'Orchard dashboard', level: 1 }).waitFor()
      await main.getByRole('link', { name: 'Ladder count differs' }).waitFor()

      await press(button(page, 'Add a widget'))
      const add = page.getByRole('dialog', { name: 'Add a widget' })
      await add.waitFor()
      if (way === 'mouse') await add.getByRole('radio', { name: 'Number' }).check()
      else {
        await tabTo(add.getByRole('radio', { name: 'Chart' }))
        await page.keyboard.press('ArrowDown')
      }
      const { json: ledger } = await api.get(`/trackers/${LEDGER}`, { as: MARA })
      const { json: report } = await api.get(`/tracker_reports/${LEDGER_REPORT}`, { as: MARA })
      await choose(add.getByLabel('Tracker', { exact: true }), ledger.label)
      await choose(add.getByLabel('Report', { exact: true }), report.label)
      await press(button(add, 'Add'))
      await expect.poll(() => titles(page), patient).toEqual([label, report.label])

      await press(button(page, 'Arrange'))
      await press(button(page, `Move ${report.label} up`))
      await expect.poll(() => titles(page), patient).toEqual([report.label, label])
      // At the top of the list, the focus goes on to the next button of the same widget.
      await inFocus(button(page, `Move ${report.label} down`)).waitFor()
      await press(button(page, 'Done'))
      await expect.poll(async () => (await stored())[0], patient).toBe(LEDGER_REPORT)

      const other = await visit(browser, api, new URL(page.url()).pathname, { as: TOM, width })
      await other.page.getByText('This report has been deleted, or you may not see it.').waitFor()
      await other.page.locator('#main').getByRole('link', { name: 'Ladder count differs' }).waitFor()
      expect(await titles(other.page)).toEqual(['Report not available', label])
      const shown = await other.page.locator('#main').textContent()
      for (const hidden of [report.label, ledger.label]) expect(shown).not.toContain(hidden)
      expect(await button(other.page, 'Add a widget').count()).toBe(0)
      expect(await button(other.page, 'Arrange').count()).toBe(0)
      expect([...complaints, ...other.complaints]).toEqual([])
      await context.close()
      await other.context.close()
    },
  )

  test('a widget is removed, and undo brings it back to its place', async () => {
    await put([
      { type: 'note', title: 'First', text: 'One' },
      { type: 'count', report_id: BUG_REPORT },
    ])
    const { page, context, complaints } = await visit(browser, api, '/projects/orchard/dashboard', { as: MARA })
    await button(page, 'Arrange').click()
    await button(page, 'Remove First').click()
    await expect.poll(() => titles(page), patient).toEqual(['All bugs'])
    await button(page, 'Undo').click()
    await expect.poll(() => titles(page), patient).toEqual(['First', 'All bugs'])
    await expect.poll(stored, patient).toEqual([null, BUG_REPORT])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a move over the change of another person is refused, and their version is shown', async () => {
    const two = [
      { type: 'note', title: 'First', text: 'One' },
      { type: 'note', title: 'Second', text: 'Two' },
    ]
    await put(two)
    const { page, context } = await visit(browser, api, '/projects/orchard/dashboard', { as: MARA })
    await button(page, 'Arrange').click()
    await put([...two, { type: 'note', title: 'Third', text: 'Three' }])
    await button(page, 'Move First down').click()
    await expect.poll(() => titles(page), patient).toEqual(['First', 'Second', 'Third'])
    await button(page, 'Move First down').click()
    await expect.poll(() => titles(page), patient).toEqual(['Second', 'First', 'Third'])
    await context.close()
  })

  test('a person pins a chart for themselves, in the colours of the values', async () => {
    const { page, context, complaints } = await visit(browser, api, `/trackers/${BUGS}`, { as: TOM })
    await button(page, 'More').click()
    await button(page, 'Pin to a dashboard…').click()
    const pin = page.getByRole('dialog')
    await pin.getByLabel('Title', { exact: true }).fill('By state')
    await button(pin, 'Pin').click()
    await page.getByText('Pinned “All bugs” to your dashboard.').first().waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('heading', { name: 'My dashboard', level: 1 }).waitFor()
    const bars = page.getByRole('table', { name: 'By state' }).locator('[data-hue]')
    await bars.first().waitFor()
    expect(await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute('data-hue')))).toEqual(['red', 'green'])
    expect((await api.get(PATH, { as: MARA })).json.widgets).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })
})
