import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { chooseInMenu } from '../../test/menu.ts'
import { VISITOR_TIME_ZONE, visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }
const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: VISITOR_TIME_ZONE, dateStyle: 'short' })
/** A calendar day as the browser of a visitor counts it. */
const dayAfter = (days: number) => berlin.format(Date.now() + days * 86_400_000)

describe.skipIf(CHROMIUM === undefined)('my work (needs Chromium: npm run setup)', async () => {
  const { api, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const quinces = crates.ids.get('Quinces for the jam kitchen on the other side of the river') ?? 0
  const group = (page: Page, name: string) =>
    page.getByRole('region', { name: /work|Open in all projects/ }).getByRole('list', { name })
  const titles = (page: Page, name: string) => group(page, name).getByRole('link').allTextContents()
  const stored = async (label: string) => {
    const { json } = await api.get(`/artifacts/${quinces}`, { as: TOM })
    return json.values.find((value: { label: string }) => value.label === label)
  }
  const set = (values_by_field: object) => api.put(`/artifacts/${quinces}`, { as: MARA, body: { values_by_field } })

  test('by keyboard: a row is changed in place, undone, and opened; changes by others appear', async () => {
    await set({ due: dayAfter(-3) })
    const { page, context, complaints } = await visit(browser, api, '/', { as: TOM })
    const { keyboard } = page
    const row = page.locator(`[data-work="${quinces}"]`)
    await expect.poll(() => titles(page, 'Overdue'), patient).toEqual([expect.stringContaining('Quinces')])
    await keyboard.press('j')
    await inFocus(row).waitFor()

    await keyboard.press('s')
    await page.getByRole('combobox', { name: 'Status' }).waitFor()
    await keyboard.type('emp')
    await keyboard.press('Enter')
    await row.getByRole('button', { name: 'Empty' }).waitFor()
    await expect.poll(async () => (await stored('Status')).values[0].label).toBe('Empty')
    await page.getByText(`crate #${quinces}: Status saved.`).first().waitFor()
    await keyboard.press('u')
    await expect.poll(async () => (await stored('Status')).values[0].label).toBe('Packing')
    await row.getByRole('button', { name: 'Packing' }).waitFor()

    await keyboard.press('p')
    await page.getByText('This tracker has no field named priority.').waitFor()

    await set({ due: dayAfter(0) })
    await expect.poll(() => titles(page, 'Today'), patient).toEqual([expect.stringContaining('Quinces')])
    await set({ assigned_to: ['uma'] })
    await row.waitFor({ state: 'detached' })
    await set({ assigned_to: ['tom'] })
    await row.waitFor()
    while ((await inFocus(row).count()) === 0) await keyboard.press('k')
    await keyboard.press('Enter')
    await page.waitForURL(`**/artifacts/${quinces}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by touch on a phone: groups are remembered, and the due date is picked', async () => {
    await set({ due: dayAfter(0), status: 'Packing', assigned_to: ['tom'] })
    const { page, context, complaints } = await visit(browser, api, '/my-work', { as: TOM, width: 390, hasTouch: true })
    const row = page.locator(`[data-work="${quinces}"]`)
    await chooseInMenu(page, 'Group', 'Status')
    await expect.poll(() => titles(page, 'Packing'), patient).toHaveLength(2)
    await page.reload()
    await group(page, 'Packing').waitFor()
    await row.getByRole('button', { name: 'Today' }).click()
    await page.getByRole('option', { name: 'Tomorrow' }).click()
    await expect.poll(async () => (await stored('Due')).value.slice(0, 10)).toBe(dayAfter(1))
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.getByRole('link', { name: 'Submitted by me' }).click()
    await page.waitForURL('**/my-work?of=submitted')
    await page.getByText('Nothing that you submitted is open.').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard: the keys belong to the list in focus, the work or the inbox', async () => {
    const { page, context, complaints } = await visit(browser, api, '/', { as: TOM })
    const { keyboard } = page
    const [thread, work] = [page.locator('[data-thread]'), page.locator('[data-work]')]
    await thread.first().waitFor()
    await work.first().waitFor()
    await keyboard.press('k')
    await inFocus(work.first()).waitFor()
    await tabTo(thread.first().getByRole('link'))
    await keyboard.press('j')
    await inFocus(thread.nth(1)).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
