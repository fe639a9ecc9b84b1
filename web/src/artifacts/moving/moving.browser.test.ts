import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { makeTestArtifact } from '../../../../server/test/fixtures/every-field.ts'
import { MARA, TOM } from '../../../../server/test/fixtures/people.ts'
import { CHROMIUM, startBrowser } from '../../../../server/test/harness/browser.ts'
import { tabTo } from '../../../test/keyboard.ts'
import { visit } from '../../../test/visitor.ts'
import { startFewPages } from '../../../test/world.ts'
import { pressArtifactAction } from '../../../test/menu.ts'

describe.skipIf(CHROMIUM === undefined)('moving and copying (needs Chromium: npm run setup)', async () => {
  const { api, deliveries, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const make = () =>
    makeTestArtifact(api, deliveries.tracker, { summary: 'Mend the gate', status: 'Open', points: 5, tags: ['cold'] })
  const part = (page: Page, title: string) => page.getByRole('dialog').locator('dl > div').filter({ hasText: title })

  test('by mouse: a move shows what is lost, and then moves', async () => {
    const id = await make()
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: MARA })
    await pressArtifactAction(page, 'Move…')
    const dialog = page.getByRole('dialog', { name: /^Move delivery #\d+ to another tracker$/ })
    expect(await dialog.getByRole('button', { name: 'Move', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('To tracker').selectOption({ value: String(crates.tracker.id) })
    await part(page, 'Will be lost').getByText('Tags').waitFor()
    await part(page, 'Will be kept in part').getByText('Status').waitFor()
    expect((await api.get(`/artifacts/${id}`, { as: MARA })).json.tracker.id).toBe(deliveries.tracker.id)
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Moved delivery').waitFor()
    expect((await api.get(`/artifacts/${id}`, { as: MARA })).json.tracker.id).toBe(crates.tracker.id)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard: a copy opens; those who do not administer the tracker cannot move', async () => {
    const id = await make()
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    await page.getByRole('heading', { name: 'Mend the gate', level: 1 }).waitFor()
    await tabTo(page.getByRole('button', { name: 'More actions' }))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copy…' }).waitFor()
    expect(await page.getByRole('button', { name: 'Move…' }).count()).toBe(0)
    await tabTo(page.getByRole('button', { name: 'Copy…' }))
    await page.keyboard.press('Enter')
    await part(page, 'Will be kept').getByText('Points').waitFor()
    await tabTo(page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }))
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => /\/artifacts\/\d+$/.test(url.pathname) && !url.pathname.endsWith(`/${id}`))
    await page.getByRole('heading', { name: 'Mend the gate', level: 1 }).waitFor()
    await page.getByText(`Copied from art #${id}.`).first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
