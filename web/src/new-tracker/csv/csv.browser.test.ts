import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../../server/test/harness/browser.ts'
import { MARA } from '../../../../server/test/fixtures/people.ts'
import { ORCHARD } from '../../../../server/test/fixtures/seed-ids.ts'
import { visit } from '../../../test/visitor.ts'
import { startFewPages } from '../../../test/world.ts'

const PUMPS = `Summary;Status;Points;Found on;Notes
Pump leaks;Open;3;02.11.2026;"Line one
line two"
Seal worn;Open;5;2026-11-18;
Valve stuck;Done;many;;<b>bold</b>
;Done;8;;
`

describe.skipIf(CHROMIUM === undefined)('a tracker from CSV (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const choose = (page: Page, name: string, content: string) =>
    page.getByLabel('Table (CSV file)').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

  test('shows the first rows and the guessed types, which can be changed, and imports', {
    timeout: 60_000,
  }, async () => {
    const { page, context, complaints } = await visit(browser, api, '/projects/orchard/trackers/new?from=csv', {
      as: MARA,
    })
    await choose(page, 'empty.csv', 'Summary;Points\n')
    await page.getByText('This file has no rows.').waitFor()
    await choose(page, 'worn_parts.csv', PUMPS)
    await page.getByText('4 rows, 5 columns').waitFor()
    expect(await page.getByLabel('Type of Status').inputValue()).toBe('sb')
    expect(await page.getByLabel('Type of Found on').inputValue()).toBe('date')
    await page.getByLabel('Type of Points').selectOption('Whole number')
    await page.getByText('1 cell does not fit and stays empty.').waitFor()
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('summary')
    expect(await page.getByLabel('Item name').inputValue()).toBe('worn_parts')
    await page.getByRole('button', { name: 'Create tracker' }).click()
    await page.getByText('Created the tracker worn parts.').waitFor()
    await page.getByRole('grid').waitFor()
    await page.getByText('Valve stuck').first().waitFor()

    const { json } = await api.get(`/projects/${ORCHARD}/trackers?limit=50`, { as: MARA })
    const { id } = json.find(({ item_name }: { item_name: string }) => item_name === 'worn_parts')
    const { json: artifacts } = await api.get(`/trackers/${id}/artifacts?values=all&order=asc`, { as: MARA })
    expect(artifacts.map((each: { title: string; is_open: boolean }) => [each.title, each.is_open])).toEqual([
      ['Pump leaks', true],
      ['Seal worn', true],
      ['Valve stuck', false],
      ['Row 4', false],
    ])
    expect(complaints).toEqual([])
    await context.close()
  })
})
