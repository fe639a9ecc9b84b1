import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }
const PHONE = { width: 390, hasTouch: true }
const MAX_FIRST_ROW_PX = 200
const MIN_TARGET_PX = 44

describe.skipIf(CHROMIUM === undefined)('the pages on a phone (needs Chromium: npm run setup)', async () => {
  const { api, deliveries, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const tabs = (page: Page) => page.getByRole('navigation', { name: 'Most used' })
  const isAtBottom = async (place: Locator) => {
    const bottom = () => place.evaluate((element) => Math.round(element.getBoundingClientRect().bottom))
    await expect.poll(bottom, patient).toBe(844)
  }

  test('have four tabs at the bottom, with the unread count and the current place', async () => {
    const { page, context, complaints } = await visit(browser, api, '/', { as: TOM, ...PHONE })
    await isAtBottom(tabs(page))
    const labels = await tabs(page).getByRole('link').allTextContents()
    expect(labels).toEqual(['Home', expect.stringMatching(/^Inbox\d+\d+ unread$/), 'Projects', 'My work'])
    const current = tabs(page).locator('[data-current="true"]')
    expect(await current.textContent()).toBe('Home')
    await tabs(page).getByRole('link', { name: 'My work' }).tap()
    await page.waitForURL('**/my-work')
    await expect.poll(() => current.textContent(), patient).toBe('My work')

    await page.goto(`${api.origin}/trackers/${crates.tracker.id}`)
    await page.getByText('Walnuts').waitFor()
    await expect.poll(() => current.textContent(), patient).toBe('Projects')
    await page.setViewportSize({ width: 1440, height: 900 })
    await tabs(page).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each([
    ['table', `/trackers/${crates.tracker.id}`, '[role="row"]:has-text("Walnuts")'],
    ['inbox', '/inbox', '[data-thread]'],
    ['work', '/my-work', '[data-row-list] li'],
  ])('show the first row of the %s within 200 px, and controls of 44 px', async (_, path, row) => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM, ...PHONE })
    const first = page.locator(row).first()
    await first.waitFor()
    await isAtBottom(tabs(page))
    expect((await first.boundingBox())?.y).toBeLessThanOrEqual(MAX_FIRST_ROW_PX)
    const targets = await page.locator(':is(header, nav, search) :is(a, button, select)').all()
    const small: string[] = []
    for (const target of targets) {
      const box = await target.boundingBox()
      if (box && (box.width < MIN_TARGET_PX || box.height < MIN_TARGET_PX))
        small.push(`${await target.textContent()}: ${box.width} × ${box.height}`)
    }
    expect(targets.length).toBeGreaterThan(5)
    expect(small).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('an artifact has its facts in one row, its comment field at the bottom, and pickers as sheets', async () => {
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${deliveries.id}`, {
      as: MARA,
      ...PHONE,
    })
    const facts = page.getByRole('complementary', { name: 'Properties' })
    const status = facts.locator('[data-field]').getByText('Working')
    await status.waitFor()
    const [first, last] = [
      await status.boundingBox(),
      await facts.locator('[data-field]').locator('time[datetime="2026-11-30"]').boundingBox(),
    ]
    expect(last?.x).toBeGreaterThan((first?.x ?? 0) + (first?.width ?? 0))
    const strip = facts.locator('[data-expanded]')
    expect(await strip.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true)
    expect(Math.abs((last?.y ?? 0) - (first?.y ?? 0))).toBeLessThan(12)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)

    const form = page.locator('form[data-foot]')
    await isAtBottom(form)
    expect((await form.boundingBox())?.height).toBeLessThan(80)
    expect(await tabs(page).isVisible()).toBe(false)

    // The whole row of the field is the target, not only its text.
    await facts.locator('[data-field]', { hasText: 'Working' }).tap()
    const sheet = page.getByRole('dialog', { name: 'Status' })
    await sheet.getByRole('option').first().waitFor()
    await isAtBottom(sheet)
    expect(await sheet.boundingBox()).toMatchObject({ x: 0, width: 390 })
    for (const option of await sheet.getByRole('option').all())
      expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(MIN_TARGET_PX)
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })

    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.tap()
    await page.keyboard.type('From the train.')
    const send = form.getByRole('button', { name: 'Send', exact: true })
    await isAtBottom(form)
    await send.tap()
    await page.locator('#main li', { hasText: 'From the train.' }).first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a board shows one column with the next peeping in, and stops at columns', async () => {
    const { page, context, complaints } = await visit(browser, api, `/trackers/${crates.tracker.id}/board`, {
      as: TOM,
      ...PHONE,
    })
    await page.getByText('Walnuts').waitFor()
    const left = (column: number) =>
      page.locator(`[data-head="${column}"]`).evaluate((head) => Math.round(head.getBoundingClientRect().left))
    const [first, next] = [await left(0), await left(1)]
    expect(first).toBeLessThan(20)
    expect(next).toBeGreaterThan(280)
    expect(next).toBeLessThan(390)
    const board = page.locator('[data-holding]')
    await board.evaluate((element) => element.scrollBy({ left: 250 }))
    await expect.poll(() => left(1), patient).toBeLessThan(20)
    expect(complaints).toEqual([])
    await context.close()
  })
})
