import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../../server/test/harness/browser.ts'
import { MARA, TOM } from '../../../../server/test/fixtures/people.ts'
import { inFocus } from '../../../test/keyboard.ts'
import { visit } from '../../../test/visitor.ts'
import { startFewPages } from '../../../test/world.ts'

const patient = { timeout: 60_000 }
const MINUTE_MS = 60_000

describe.skipIf(CHROMIUM === undefined)('a table of the past (needs Chromium: npm run setup)', async () => {
  const { api, crates, clock } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const [cox = '', boskoop = ''] = crates.ids.keys()
  const path = `/trackers/${crates.tracker.id}`
  const start = clock.now().getTime()
  const moment = (minutes: number) => new Date(start + minutes * MINUTE_MS).toISOString().replace(/\.\d+/, '')
  const write = async (crate: string, values_by_field: object) => {
    const { status } = await api.put(`/artifacts/${crates.ids.get(crate)}`, { as: MARA, body: { values_by_field } })
    expect(status).toBe(200)
  }
  clock.set(moment(10))
  await write(cox, { weight: 20 })
  clock.set(moment(20))
  await write(cox, { status: 'Packing' })
  await write(boskoop, { weight: '' })
  clock.set(moment(30))

  const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
  const at = (page: Page) => new URL(page.url()).searchParams.get('at')

  test('shows values of then and now, is read only, and has an address', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    await page.getByRole('button', { name: 'Show an earlier state' }).click()
    await page.getByText('Marked cells are different today.').waitFor(patient)
    await page.getByText('6 rows then, 6 now').waitFor(patient)
    const different = row(page, cox).locator('[data-different]')
    await expect
      .poll(() => different.allTextContents(), patient)
      .toEqual([expect.stringMatching(/^Empty\s*now\s*Packing$/)])
    await expect
      .poll(() => row(page, boskoop).locator('[data-different]').allTextContents(), patient)
      .toEqual([expect.stringMatching(/^12\s*now\s*–empty$/)])
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'New' }).count()).toBe(0)
    await page.getByText('Plums').locator('xpath=ancestor::*[@role="gridcell"]').dblclick()
    await page.getByText('Earlier states are read only.').waitFor(patient)

    const address = page.url().slice(new URL(page.url()).origin.length)
    const shared = await visit(browser, api, address, { as: MARA })
    await expect.poll(() => row(shared.page, cox).locator('[data-different]').count(), patient).toBe(1)
    await page.getByRole('button', { name: 'Back to now' }).click()
    await page.getByText('6 rows', { exact: true }).waitFor(patient)
    expect(at(page)).toBeNull()
    expect([...complaints, ...shared.complaints]).toEqual([])
    await Promise.all([context.close(), shared.context.close()])
  })

  test('arrow keys go from change to change, the slider to any moment, and Escape back to now', async () => {
    const { page, context, complaints } = await visit(browser, api, `${path}?at=${moment(15)}`, { as: TOM })
    await expect.poll(() => row(page, cox).locator('[data-different]').count(), patient).toBe(1)
    await page.getByRole('button', { name: 'Later change' }).waitFor(patient)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => at(page), patient).toMatch(moment(10).slice(0, 16))
    await expect.poll(() => row(page, cox).locator('[data-different]').count(), patient).toBe(1)
    const slider = page.getByRole('slider', { name: 'Moment to show' })
    await slider.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => at(page), patient).toMatch(moment(20).slice(0, 16))
    await expect.poll(() => slider.getAttribute('aria-valuetext'), patient).toMatch(/\d/)
    await page.keyboard.press('Home')
    await expect.poll(() => Date.parse(at(page) ?? ''), patient).toBeLessThan(start + MINUTE_MS)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show an earlier state' }).waitFor(patient)
    expect(at(page)).toBeNull()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('the filter applies to the values of then; rows that do not match today are marked', async () => {
    const query = encodeURIComponent('status = "Empty" ORDER BY @id')
    const { page, context, complaints } = await visit(browser, api, `${path}?q=${query}&at=${moment(5)}`, { as: TOM })
    await page.getByText('3 rows then, 2 now').waitFor(patient)
    await expect.poll(() => row(page, cox).textContent(), patient).toContain('Does not match today')
    expect(await row(page, boskoop).textContent()).not.toContain('Does not match')
    // The row leads to the version of then, and Escape in the grid back to now.
    await page.getByRole('grid').focus()
    await inFocus(page.getByRole('grid')).waitFor()
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.waitForURL(/artifacts\/\d+\?version=1$/)
    await page.goBack()
    await page.getByText('3 rows then, 2 now').waitFor(patient)
    await page.getByRole('grid').focus()
    await page.keyboard.press('Escape')
    await page.getByText('2 rows', { exact: true }).waitFor(patient)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a date that is entered is shown, and the state before the first change is empty', async () => {
    const { page, context, complaints } = await visit(browser, api, `${path}?at=${moment(15)}`, { as: TOM, width: 390 })
    const input = page.getByLabel('Date and time')
    await input.fill('2020-02-03T08:00')
    await expect.poll(() => at(page), patient).toMatch(/^2020-02-0/)
    await page.getByText('No artifact matched then.').waitFor(patient)
    expect(complaints).toEqual([])
    await context.close()
  })
})
