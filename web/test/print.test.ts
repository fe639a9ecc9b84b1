import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { MARA, TOM } from '../../server/test/fixtures/people.ts'
import { CHROMIUM, startBrowser } from '../../server/test/harness/browser.ts'
import { takePicture } from './pictures.ts'
import { visit } from './visitor.ts'
import { startFewPages } from './world.ts'

/** Boxes in a text are content: they show what is done. */
const CONTROLS = `button, select, textarea, summary, nav, form, search, [contenteditable="true"],
  [role="toolbar"], input:not(li input)`
const DARKEST_GROUND = 200
/** In CSS pixels. */
const A4 = { width: 794, height: 1123 }

describe.skipIf(CHROMIUM === undefined)('on paper (needs Chromium: npm run setup)', async () => {
  const { api, crates, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const visible = (page: Page, selector: string) =>
    page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().width > 1)
      .map((each) => each.outerHTML.slice(0, 120))`)
  /** Elements as large as a card or larger, and their dark grounds. */
  const darkGrounds = (page: Page) =>
    page.evaluate<string[]>(`[...document.querySelectorAll('*')].flatMap((each) => {
      const { width, height } = each.getBoundingClientRect()
      const [red, green, blue, alpha = 1] = getComputedStyle(each).backgroundColor.match(/[\\d.]+/g).map(Number)
      const isDark = alpha > 0 && Math.min(red, green, blue) < ${DARKEST_GROUND}
      return isDark && each.checkVisibility() && width * height > 20_000 ? [each.outerHTML.slice(0, 120)] : []
    })`)

  test.each([
    {
      what: 'an artifact',
      as: MARA,
      path: `/artifacts/${deliveries.id}`,
      shows: ['created this', 'Points'],
    },
    {
      what: 'a table',
      as: TOM,
      path: `/trackers/${crates.tracker.id}?report=0`,
      shows: ['Walnuts', 'Plums'],
    },
  ])('$what has no controls and no dark ground', async ({ what, as, path, shows }) => {
    const { page, context, complaints } = await visit(browser, api, path, { as, theme: 'dark' })
    await page.evaluate(`localStorage.setItem('waypost.theme', 'dark')`)
    await page.reload()
    for (const text of shows) await page.getByText(text).first().waitFor()
    expect((await visible(page, CONTROLS)).length).toBeGreaterThan(5)
    expect(await darkGrounds(page)).not.toEqual([])

    await page.setViewportSize(A4)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await takePicture(page, `print-${what.replaceAll(' ', '-')}`, 'dark', A4.width)
    expect(await visible(page, CONTROLS)).toEqual([])
    expect(await darkGrounds(page)).toEqual([])
    for (const name of ['New artifact', 'Board', 'Home'])
      expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0)
    for (const text of shows) expect(await page.getByText(text).first().isVisible()).toBe(true)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('#main')).overflowY`)).toBe('visible')
    expect(complaints).toEqual([])
    await context.close()
  })
})
