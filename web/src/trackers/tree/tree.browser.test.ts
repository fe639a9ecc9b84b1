import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { MARA, TOM } from '../../../../server/test/fixtures/people.ts'
import { makeTestArtifact, makeTestTracker } from '../../../../server/test/fixtures/every-field.ts'
import { CHROMIUM, startBrowser } from '../../../../server/test/harness/browser.ts'
import { inFocus } from '../../../test/keyboard.ts'
import { chooseInMenu } from '../../../test/menu.ts'
import { visit } from '../../../test/visitor.ts'
import { startFewPages } from '../../../test/world.ts'

const patient = { timeout: 60_000 }

const STORIES = {
  format: 'waypost-tracker/1',
  label: 'Stories',
  item_name: 'story',
  permissions: { full: ['@anonymous'] },
  elements: [
    { name: 'summary', type: 'string', label: 'Summary', required: true },
    {
      name: 'status',
      type: 'sb',
      label: 'Status',
      bind: {
        type: 'static',
        values: [
          { label: 'New', color: 'acid-green' },
          { label: 'Done', color: 'deep-blue' },
        ],
      },
    },
    { name: 'links', type: 'art_link', label: 'Links' },
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['new'] } },
}

describe.skipIf(CHROMIUM === undefined)('parents and children (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const stories = await makeTestTracker(api, STORIES)
  const make = (summary: string, status: string, parent?: number) =>
    makeTestArtifact(api, stories, { summary, status, ...(parent && { links: { parent: { id: parent } } }) })
  const rig = await make('Test rig', 'New')
  const pump = await make('Pump', 'New', rig)
  await make('Seal of the pump', 'Done', pump)
  await make('Frame', 'Done', rig)
  await make('Paint', 'New')
  const names = ['Test rig', 'Seal of the pump', 'Pump', 'Frame', 'Paint']
  const path = `/trackers/${stories.id}`
  /** The titles of the rows, and what else a header says. */
  const shown = async (page: Page) => {
    const rows = await page.locator('[role="rowgroup"]').last().getByRole('row').allTextContents()
    return rows.map((row) => (/[1-9] rows?/.test(row) ? row : (names.find((name) => row.includes(name)) ?? row)))
  }

  test('children stand below their parents, expanded by mouse and by keyboard, also when they change', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    await chooseInMenu(page, 'Group', 'Tree')
    await expect.poll(() => shown(page), patient).toEqual(['Paint', 'Test rig'])
    await page.getByRole('status').filter({ hasText: '5 rows' }).waitFor()
    const grid = page.getByRole('treegrid', { name: 'Stories' })
    await page.getByRole('button', { name: `Show the 2 children of story #${rig}` }).click()
    await expect.poll(() => shown(page), patient).toEqual(['Paint', 'Test rig', 'Frame', 'Pump'])
    await inFocus(grid).waitFor()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    await expect.poll(() => shown(page), patient).toEqual(['Paint', 'Test rig', 'Frame', 'Pump', 'Seal of the pump'])
    const levels = () =>
      grid.locator('[role="row"][aria-level]').evaluateAll((rows) => rows.map((row) => row.ariaLevel))
    expect(await levels()).toEqual(['1', '1', '2', '2', '3'])

    // A new child of another person appears in the open branch.
    await make('Motor', 'New', rig)
    await page.getByRole('status').filter({ hasText: '6 rows' }).waitFor()
    await expect.poll(async () => (await shown(page)).length, patient).toBe(6)
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
    await expect.poll(() => shown(page), patient).toEqual(['Paint', 'Test rig'])
    await page.waitForURL(/group=%40tree/)

    await page.goto(`${api.origin}${path}?group=@tree&q=${encodeURIComponent('status = "Done"')}`)
    // Their parents are not among the rows of the filter.
    await expect.poll(() => shown(page), patient).toEqual(['Frame', 'Seal of the pump'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('rows are grouped by their parent', async () => {
    const { page, context, complaints } = await visit(browser, api, `${path}?group=@parent`, { as: TOM })
    const headers = async () => (await shown(page)).filter((row) => /[1-9] rows?/.test(row))
    await expect
      .poll(async () => (await headers()).map((row) => row.replace(/^story #\d+/, '')), patient)
      .toEqual([
        expect.stringMatching(/^Test rig3 rows/),
        expect.stringMatching(/^Pump1 row/),
        expect.stringMatching(/^None2 rows/),
      ])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a chart by any field leads from a value to its rows', async () => {
    const { page, context, complaints } = await visit(browser, api, `${path}/charts?as=area`, { as: MARA })
    const now = page.getByRole('table', { name: 'Status, now' })
    await now.getByRole('link', { name: 'Done' }).click()
    await page.waitForURL((url) => url.searchParams.get('q') === 'status = "Done"')
    await expect.poll(() => shown(page), patient).toEqual(['Frame', 'Seal of the pump'])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a report across trackers shows, narrows and shares artifacts of several trackers', async () => {
    const { page, context, complaints } = await visit(browser, api, '/report', { as: TOM })
    const table = page.getByRole('table', { name: 'Report across trackers' })
    await table.getByRole('link', { name: 'Pump at the north gate' }).waitFor()
    await table.getByRole('link', { name: 'Test rig' }).waitFor()
    await page.getByRole('combobox', { name: 'Project', exact: true }).selectOption('orchard')
    await page.getByLabel('Condition').fill('@title = "rig"')
    await page.keyboard.press('Enter')
    await expect.poll(() => table.getByRole('row').count(), patient).toBe(2)
    const address = page.url()
    await page.getByLabel('Condition').fill('colour = 3')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByLabel('Condition').getAttribute('aria-invalid'), patient).toBe('true')

    const other = await visit(browser, api, address.replace(api.origin, ''), { as: MARA })
    await other.page.getByRole('table').getByRole('link', { name: 'Test rig' }).waitFor()
    expect([...complaints, ...other.complaints]).toEqual([])
    await context.close()
    await other.context.close()
  })
})
