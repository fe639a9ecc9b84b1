import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { BUG, BUG_STATUS, BUGS } from '../../../server/test/fixtures/seed-ids.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }
/** How long it may take to find a thing by half a word of a comment. */
const MAX_FINDING_MS = 3000

describe.skipIf(CHROMIUM === undefined)('the search page (needs Chromium: npm run setup)', async () => {
  const { api, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const make = async (title: string, status: number, comment?: string): Promise<number> => {
    const values = [
      { field_id: BUG.summary, value: title },
      { field_id: BUG.status, bind_value_ids: [status] },
    ]
    const said = comment === undefined ? {} : { comment: { body: comment, format: 'text' } }
    const {
      status: code,
      json,
      text,
    } = await api.post('/artifacts', {
      as: MARA,
      body: { tracker: { id: BUGS }, values, ...said },
    })
    if (code !== 201) throw new Error(text)
    return json.id
  }
  const open = await make('Barometer falls', BUG_STATUS.open)
  await make('Barometer stuck', BUG_STATUS.fixed)
  const commented = await make('Rain gauge', BUG_STATUS.open, 'Compare it with the barometers of the station')

  test('finds by words, narrows by facets, and keeps everything in the address', async () => {
    const { page, context, complaints } = await visit(browser, api, '/search', { as: TOM })
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
    await page.getByRole('textbox').fill('barom')
    const hits = page.getByRole('region', { name: 'Results' })
    await hits.getByText('3 artifacts').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('barom')
    expect(await hits.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('Barometer stuck'),
      expect.stringContaining('Barometer falls'),
      expect.stringContaining('Compare it with the barometers'),
    ])
    expect(await hits.locator('mark').first().innerText()).toBe('Barom')
    await page.getByRole('link', { name: /^Closed\s+1 result$/ }).click()
    await hits.getByText('1 artifact', { exact: true }).waitFor()
    await page.goBack()
    await hits.getByText('3 artifacts').waitFor()
    await page.getByRole('link', { name: /^Open\s+2 results$/ }).click()
    await hits.getByText('2 artifacts').waitFor()

    const shared = await visit(browser, api, new URL(page.url()).pathname + new URL(page.url()).search, { as: MARA })
    await shared.page.getByText('2 artifacts').waitFor()
    await shared.page.getByRole('link', { name: 'Clear filters' }).click()
    await shared.page.getByText('3 artifacts').waitFor()
    expect([...complaints, ...shared.complaints]).toEqual([])
    await shared.context.close()
    await context.close()
  })

  test('moves between hits by keys, and opens one', async () => {
    const { page, context, complaints } = await visit(browser, api, '/search?q=barom', { as: TOM })
    await page.getByText('3 artifacts').waitFor()
    await page.keyboard.press('ArrowDown')
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    await expect.poll(focused, patient).toBe('Barometer stuck')
    await page.keyboard.press('j')
    await expect.poll(focused, patient).toBe('Barometer falls')
    await page.keyboard.press('k')
    await expect.poll(focused, patient).toBe('Barometer stuck')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/artifacts/${open}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is opened by Ctrl Enter in the palette, with the same words and project', async () => {
    const { page, context, complaints } = await visit(browser, api, `/trackers/${deliveries.tracker.id}`, { as: TOM })
    await page.getByRole('grid').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('button', { name: 'Search everywhere instead of in Orchard' }).waitFor()
    await page.keyboard.type('barom')
    await page.getByRole('option', { name: /All results for “barom”/ }).waitFor()
    await page.keyboard.press('Control+Enter')
    await page.waitForURL('**/search?*')
    expect(await page.getByRole('textbox').inputValue()).toBe('barom')
    await page.getByText('3 artifacts').waitFor()
    expect(new URL(page.url()).searchParams.get('project')).not.toBeNull()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('finds files by name', async () => {
    const { page, context, complaints } = await visit(browser, api, '/search?q=ramp', { as: TOM })
    await page.getByRole('link', { name: /^Files\s+1 result$/ }).click()
    const hits = page.getByRole('region', { name: 'Results' })
    await hits.getByRole('link', { name: 'ramp.png' }).waitFor()
    expect(new URL(page.url()).searchParams.get('kind')).toBe('files')
    await page.getByRole('link', { name: /^Commits/ }).click()
    await hits.getByText('The message of no commit contains “ramp”.').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('says why there is nothing, and shows a refusal', async () => {
    const { page, context, complaints } = await visit(browser, api, '/search?q=unicorn', { as: TOM })
    await page.getByText('No artifact contains “unicorn”.').waitFor()
    await page.goto(`${api.origin}/search?q=barom&project=999999`)
    await page.getByRole('alert').filter({ hasText: 'project' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test.each([
    { by: 'mouse', width: 1440 },
    { by: 'mouse', width: 390 },
    { by: 'keyboard', width: 1440 },
    { by: 'keyboard', width: 390 },
  ])('finds a thing by half a word of a comment in 3 s, by $by at $width px', async ({ by, width }) => {
    const { page, context, complaints } = await visit(browser, api, '/', { as: TOM, width })
    const find = async (): Promise<number> => {
      await page.getByRole('heading', { level: 1, name: /^Good / }).waitFor()
      const began = performance.now()
      if (by === 'keyboard') await page.keyboard.press('Control+k')
      else {
        if (width < 600) await page.getByRole('button', { name: 'Menu' }).click()
        await page.getByRole('button', { name: /Search…/ }).click()
      }
      await page.getByRole('combobox').waitFor()
      await page.keyboard.type('barometers stat')
      const found = page.getByRole('option', { name: /Rain gauge/ })
      await found.waitFor()
      if (by === 'keyboard') await page.keyboard.press('Enter')
      else await found.click()
      await page.waitForURL(`**/artifacts/${commented}`)
      await page.getByRole('heading', { level: 1, name: 'Rain gauge' }).waitFor()
      return performance.now() - began
    }
    const times = [await find()]
    // Other tests share the machine, so one attempt of five has to be in time.
    while (Math.min(...times) >= MAX_FINDING_MS && times.length < 5) {
      await page.goto(api.origin)
      times.push(await find())
    }
    expect(Math.min(...times)).toBeLessThan(MAX_FINDING_MS)
    expect(complaints).toEqual([])
    await context.close()
  })
})
