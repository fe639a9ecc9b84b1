import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../../server/test/harness/browser.ts'
import { makeTestArtifact } from '../../../../server/test/fixtures/every-field.ts'
import { MARA, TOM } from '../../../../server/test/fixtures/people.ts'
import { visit } from '../../../test/visitor.ts'
import { startFewPages } from '../../../test/world.ts'
import { pressArtifactAction } from '../../../test/menu.ts'

describe.skipIf(CHROMIUM === undefined)('an earlier state (needs Chromium: npm run setup)', async () => {
  const { api, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const make = async () => {
    const first = { summary: 'Mend the gate', status: 'Open', points: 1, details: 'It squeaks.' }
    const id = await makeTestArtifact(api, deliveries.tracker, first)
    const write = async (values_by_field: object) => {
      const { status } = await api.put(`/artifacts/${id}`, { as: MARA, body: { values_by_field } })
      expect(status).toBe(200)
    }
    await write({ points: 2 })
    await write({ points: 3, details: 'It squeaks loudly.' })
    return id
  }
  const fieldRow = (field: string) => `[data-field="${deliveries.tracker.field(field)}"]`

  test('shows the values of a version, marks those that are different today, and has an address', async () => {
    const id = await make()
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    await pressArtifactAction(page, 'Show an earlier state')
    await page.waitForURL(/version=2$/)
    await page.getByText('2 values are different today.').waitFor()
    expect(await page.locator(fieldRow('points')).textContent()).toMatch(/2\s*now\s*3$/)
    expect(await page.locator(`${fieldRow('status')} [data-different="true"]`).count()).toBe(0)
    await page.getByText('Compare with today').click()
    expect(await page.locator(`${fieldRow('details')} ins`).allTextContents()).toEqual([
      expect.stringContaining('loudly'),
    ])
    expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0)

    const shared = await visit(browser, api, page.url().slice(new URL(page.url()).origin.length), { as: MARA })
    await shared.page.getByText('Version 2 of 3').waitFor()
    await Promise.all([context.close(), shared.context.close()])
  })

  test('is walked by arrow keys and by the slider, and left by Escape', async () => {
    const id = await make()
    const { page, context } = await visit(browser, api, `/artifacts/${id}?version=2`, { as: TOM })
    await page.getByText('Version 2 of 3').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Version 1 of 3').waitFor()
    await expect.poll(() => page.locator(fieldRow('points')).textContent()).toMatch(/1\s*now\s*3$/)
    await page.keyboard.press('ArrowLeft')
    expect(new URL(page.url()).search).toBe('?version=1')
    await page.getByRole('slider', { name: 'Version to show' }).focus()
    await page.keyboard.press('End')
    await page.getByText('Nothing is different today.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Comments and history' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await context.close()
  })

  test('says that a version does not exist', async () => {
    const id = await make()
    const { page, context } = await visit(browser, api, `/artifacts/${id}?version=90`, { as: TOM })
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Back to now' }).click()
    await page.getByRole('region', { name: 'Comments and history' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
    await context.close()
  })
})
