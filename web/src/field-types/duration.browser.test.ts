import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { makeTestArtifact, makeTestTracker } from '../../../server/test/fixtures/every-field.ts'
import { MARA, TOM } from '../../../server/test/fixtures/people.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const CHORES = {
  format: 'waypost-tracker/1',
  label: 'Chores',
  item_name: 'chore',
  permissions: { full: ['@anonymous'] },
  elements: [
    { name: 'summary', type: 'string', label: 'Summary' },
    { name: 'left', type: 'duration', label: 'Time left' },
    {
      name: 'status',
      type: 'sb',
      label: 'Status',
      bind: { type: 'static', values: [{ label: 'Open' }, { label: 'Closed' }] },
    },
  ],
  semantics: { title: 'summary', status: { field: 'status', open: ['open'] } },
}

describe.skipIf(CHROMIUM === undefined)('durations (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const chores = await makeTestTracker(api, CHORES)
  const ids: number[] = []
  for (const left of ['45m', '2h 30m', '10h'])
    ids.push(await makeTestArtifact(api, chores, { summary: `Takes ${left}`, status: 'Open', left }))
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const path = `/trackers/${chores.id}`
  const rows = (page: Page) => page.getByRole('row').filter({ hasText: 'Takes' })

  test('the table filters and sorts by length', async () => {
    const { page, context, complaints } = await visit(browser, api, path, { as: TOM })
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Field').selectOption('Time left')
    await page.getByLabel('Operator').selectOption('>')
    expect(await page.getByLabel('Value').getAttribute('placeholder')).toBe('2h 30m')
    await page.getByLabel('Value').fill('1h')
    await page.getByRole('dialog').getByRole('button', { name: 'Add a filter' }).click()
    await page.getByText('Time left > 1h').first().waitFor()
    await page.getByRole('columnheader', { name: 'Time left' }).click()
    await expect.poll(() => rows(page).count()).toBe(2)
    await expect.poll(() => rows(page).first().textContent()).toContain('2h 30m')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('a duration is entered on the page of an artifact, and another text is refused', async () => {
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${ids[0]}`, { as: TOM })
    await page.getByRole('button', { name: 'Edit Time left' }).click()
    const input = page.getByLabel('Time left', { exact: true })
    await input.fill('long')
    await input.press('Enter')
    await page.getByText('takes a duration, such as 2h 30m').first().waitFor()
    await input.fill('90')
    await input.press('Enter')
    await page.getByText('1h 30m').first().waitFor()
    const stored = async () => (await api.get(`/artifacts/${ids[0]}`, { as: TOM })).json.values
    await expect.poll(stored).toContainEqual(expect.objectContaining({ value: '1h 30m', minutes: 90 }))
    expect(complaints).toEqual([])
    await context.close()
  })

  test('charts add up durations', async () => {
    await api.put(`/artifacts/${ids[0]}`, { as: MARA, body: { values_by_field: { left: '1h 30m' } } })
    const { page, context, complaints } = await visit(browser, api, `${path}/charts?sum=left`, { as: TOM })
    await page.locator('canvas').first().waitFor()
    await page.getByRole('button', { name: 'Measure Time left' }).waitFor()
    await page.getByText('14h', { exact: true }).first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
