import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { makeTestArtifact } from '../../../server/test/fixtures/every-field.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { inFocus } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

describe.skipIf(CHROMIUM === undefined)('comments and long texts (needs Chromium: npm run setup)', async () => {
  const { api, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const make = (values: object) =>
    makeTestArtifact(api, deliveries.tracker, { summary: 'Mend the gate', status: 'Open', ...values })

  test('a refused comment stays in its box, and can be sent again', async () => {
    const id = await make({})
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.locator('.cm-placeholder').waitFor()
    const isRefused = (url: URL) => url.pathname.endsWith(`/artifacts/${id}`)
    const error = {
      code: 403,
      i18n_error_message: 'Not now.',
      request_id: 'r',
      reason: 'permission_denied',
      details: {},
    }
    await page.route(isRefused, (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 403, json: { error } }) : route.continue(),
    )
    await page.keyboard.press('m')
    await page.keyboard.type('The hinges are here.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Not now.').first().waitFor()
    expect(await comment.textContent()).toBe('The hinges are here.')

    await page.unroute(isRefused)
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await comment.locator('.cm-placeholder').waitFor()
    await page.locator('article, li').getByText('The hinges are here.').first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('the box stays in view, and the comment key focuses it', async () => {
    const id = await make({ details: 'A long line.\n\n'.repeat(80) })
    for (const body of ['First.\n\n'.repeat(9), 'Second.\n\n'.repeat(9)])
      await api.put(`/artifacts/${id}`, { as: MARA, body: { comment: { body, format: 'commonmark' } } })
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    const box = page.getByRole('textbox', { name: 'Comment' })
    await box.locator('.cm-placeholder').waitFor()
    const isInView = async () => {
      const place = await box.boundingBox()
      return place !== null && place.y >= 0 && place.y + place.height <= 900
    }
    expect(await isInView()).toBe(true)
    await page.keyboard.press('m')
    await inFocus(box).waitFor()
    await expect.poll(isInView).toBe(true)
    await context.close()
  })

  test('letters after @ ask for nothing that the server refuses, and for no beginning twice', async () => {
    const id = await make({})
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    const refusals: string[] = []
    const searches: string[] = []
    page.on('response', (answer) => {
      if (answer.status() === 400) refusals.push(answer.url())
      const { pathname, searchParams } = new URL(answer.url())
      if (pathname === '/api/search') searches.push(searchParams.get('query') ?? '')
    })
    await page.getByRole('textbox', { name: 'Comment' }).locator('.cm-placeholder').waitFor()
    await page.keyboard.press('m')
    await page.keyboard.type('@mar', { delay: 150 })
    await page.getByRole('option', { name: '@mara' }).waitFor()
    expect(refusals).toEqual([])
    expect(searches.at(-1)).toBe('mar')
    expect(searches).toEqual([...new Set(searches)])
    await context.close()
  })

  test.each([1440, 390])('a title of 400 letters without a space fits into %i px', async (width) => {
    const id = await make({ summary: 'w'.repeat(400) })
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: TOM, width })
    await page.getByRole('heading', { level: 1 }).waitFor()
    const overflow = () =>
      page.evaluate<number>(`(() => {
        const main = document.querySelector('#main')
        return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth)
      })()`)
    await expect.poll(overflow).toBe(0)
    await context.close()
  })

  test('texts and titles from right to left run from right to left, paragraph by paragraph', async () => {
    const id = await make({ summary: 'שער הגן', details: 'The gate\n\nהשער שבור' })
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    const directionOf = (words: string) =>
      page.evaluate<string>(`(() => {
        const found = [...document.querySelectorAll('h1, p')].find((each) => each.textContent.includes('${words}'))
        return found ? getComputedStyle(found).direction : 'absent'
      })()`)
    await page.getByRole('heading', { name: 'שער הגן', level: 1 }).waitFor()
    await expect.poll(() => directionOf('השער שבור')).toBe('rtl')
    expect(await directionOf('שער הגן')).toBe('rtl')
    expect(await directionOf('The gate')).toBe('ltr')
    await context.close()
  })

  test('one’s own change in another window is not called that of another person', async () => {
    const id = await make({ points: 5 })
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: MARA })
    await page.getByRole('button', { name: 'Edit Points' }).click()
    await page.getByRole('textbox', { name: 'Points' }).fill('13')
    await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field: { due: '2026-12-24' } } })
    await page.getByRole('textbox', { name: 'Points' }).press('Enter')
    await page.getByText('Saved.', { exact: true }).waitFor()
    expect(await page.getByText('both changes are kept').count()).toBe(0)
    await context.close()
  })
})
