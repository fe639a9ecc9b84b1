import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../server/test/harness/browser.ts'
import { TEST_LEVEL } from '../../server/test/harness/test-level.ts'
import { sayEnglish, sayGerman } from './say.ts'
import { SCREENS } from './screens.ts'
import { visit } from './visitor.ts'
import { startPages } from './world.ts'

/** One screen in this many. */
const EVERY = { quick: 30, ci: 6, full: 1 }

interface Look {
  readonly theme: 'light' | 'dark'
  readonly width: number
  /** Undefined: all; none: only the width is checked. */
  readonly rules: readonly string[] | undefined
}

/** Colours depend on the theme, content on the width: all rules run once, then those that another variant can break. */
const LOOKS: readonly Look[] = [
  { theme: 'light', width: 1440, rules: undefined },
  { theme: 'dark', width: 1440, rules: [] },
  { theme: 'light', width: 390, rules: [] },
  { theme: 'dark', width: 390, rules: ['color-contrast', 'target-size', 'scrollable-region-focusable', 'button-name'] },
]
const GERMAN_LOOKS: readonly Look[] = [
  { theme: 'light', width: 1440, rules: undefined },
  { theme: 'dark', width: 390, rules: undefined },
]
/** `npm run e2e` checks all of them. */
const CHOSEN = SCREENS.filter((_, at) => at % EVERY[TEST_LEVEL] === 0)

describe.skipIf(CHROMIUM === undefined)('every screen (needs Chromium: npm run setup)', async () => {
  const { api, ...made } = await startPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  test.each(CHOSEN)(
    '$name: nothing for axe or the browser to complain of, in either theme, wide and narrow',
    async ({ path, as, shows, within, except, prepare }) => {
      const { page, context, complaints } = await visit(browser, api, typeof path === 'string' ? path : path(made), {
        ...(as && { as }),
      })
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await prepare?.(page, sayEnglish)
      await page.getByText(shows).first().waitFor()

      const violations = await findViolations(page, { within, except }, LOOKS)
      await context.close()

      expect(violations).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  test.each(CHOSEN)(
    '$name, in German: nothing for axe or the browser to complain of, in either theme',
    async ({ path, as, within, except, prepare }) => {
      const address = typeof path === 'string' ? path : path(made)
      const { page, context, complaints } = await visit(browser, api, address, { ...(as && { as }), locale: 'de-DE' })
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await prepare?.(page, sayGerman)
      if (within !== undefined) await page.locator(within).first().waitFor()
      await expect
        .poll(() => page.locator('[class*=skeleton], [aria-busy="true"]').count(), { timeout: 60_000 })
        .toBe(0)
      const violations = await findViolations(page, { within, except }, GERMAN_LOOKS)
      const language = await page.locator('html').getAttribute('lang')
      await context.close()

      expect(language).toBe('de')
      expect(violations).toEqual([])
      expect(complaints).toEqual([])
    },
  )
})

async function findViolations(
  page: Page,
  { within, except }: { within: string | undefined; except: string | undefined },
  looks: readonly Look[],
): Promise<string[]> {
  const violations: string[] = []
  for (const { theme, width, rules } of looks) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: width < 600 ? 844 : 900 })
    const isWider = await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth')
    if (isWider) violations.push(`It is wider than ${width}`)
    if (rules?.length === 0) continue
    // The pages have no frames, so legacy mode avoids a second page; passed rules are not needed.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    if (within !== undefined) axe.include(within)
    if (except !== undefined) axe.exclude(except)
    const found = await (rules ? axe.withRules([...rules]) : axe).analyze()
    violations.push(...found.violations.map(({ id, nodes }) => `${theme} ${width} ${id}: ${nodes[0]?.html}`))
  }
  return violations
}
