import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { makeTestArtifact } from '../../../../server/test/fixtures/every-field.ts'
import { MARA, OLGA, TOM } from '../../../../server/test/fixtures/people.ts'
import { CHROMIUM, startBrowser } from '../../../../server/test/harness/browser.ts'
import { inFocus, tabTo } from '../../../test/keyboard.ts'
import { visit } from '../../../test/visitor.ts'
import { startFewPages } from '../../../test/world.ts'

describe.skipIf(CHROMIUM === undefined)('a comment (needs Chromium: npm run setup)', async () => {
  const { api, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  const make = async () => {
    const id = await makeTestArtifact(api, deliveries.tracker, { summary: 'Mend the gate', status: 'Open' })
    const comment = { body: 'The **hinges** are here.', format: 'commonmark' }
    expect((await api.put(`/artifacts/${id}`, { as: TOM, body: { values: [], comment } })).status).toBe(200)
    return id
  }
  const card = (page: Page) => page.locator('#comment-2')
  const button = (page: Page, name: string) => card(page).getByRole('button', { name, exact: true })
  const commentOf = async (id: number) => {
    const { json } = await api.get(`/artifacts/${id}/changesets?order=desc&limit=50`, { as: MARA })
    return json.find(({ version }: { version: number }) => version === 2).last_comment
  }

  test('by mouse: is edited by its author, with the earlier text behind “edited”, and deleted', async () => {
    const id = await make()
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    await card(page).hover()
    await button(page, 'Edit comment').click()
    await page.getByRole('textbox', { name: 'Edit comment' }).fill('The **nails** are here.')
    await button(page, 'Save').click()
    await card(page).locator('strong', { hasText: 'nails' }).waitFor()
    expect(await commentOf(id)).toMatchObject({ commonmark: 'The **nails** are here.', version: 2 })
    await button(page, 'edited').click()
    await card(page).locator('del', { hasText: 'hinges' }).waitFor()
    expect((await new AxeBuilder({ page }).analyze()).violations.map((each) => each.id)).toEqual([])

    await button(page, 'Delete comment').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete comment' }).click()
    await card(page).getByText('This comment was deleted.').waitFor()
    expect(await button(page, 'Show it').count()).toBe(0)
    expect(await commentOf(id)).toMatchObject({ body: '', is_deleted: true })
    expect(complaints).toEqual([])
    await context.close()

    const administrator = await visit(browser, api, `/artifacts/${id}`, { as: MARA })
    await button(administrator.page, 'Show it').click()
    await card(administrator.page).locator('del', { hasText: 'The **nails** are here.' }).waitFor()
    await administrator.context.close()
  })

  test('by keyboard alone: gets a reaction, is quoted, and keeps the input when it was edited elsewhere', async () => {
    const id = await make()
    const { page, context, complaints } = await visit(browser, api, `/artifacts/${id}`, { as: TOM })
    const { keyboard } = page
    await card(page).waitFor()
    await tabTo(button(page, 'React'))
    await keyboard.press('Enter')
    await inFocus(button(page, 'Thumbs up')).waitFor()
    await keyboard.press('Enter')
    await button(page, 'Thumbs up: 1').waitFor()
    expect(await button(page, 'Thumbs up: 1').getAttribute('aria-pressed')).toBe('true')
    expect((await commentOf(id)).reactions).toEqual([{ name: 'thumbs_up', count: 1, is_mine: false }])

    await tabTo(button(page, 'Quote in a reply'))
    await keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Comment', exact: true }).filter({ hasText: '> The **hinges**' }).waitFor()

    await tabTo(button(page, 'Edit comment'))
    await keyboard.press('Enter')
    const editor = page.getByRole('textbox', { name: 'Edit comment' })
    await editor.fill('Mine')
    const { json } = await api.get(`/artifacts/${id}/changesets`, { as: TOM })
    await api.put(`/artifacts/${id}/changesets/${json[1].id}/comment`, { as: TOM, body: { body: 'Elsewhere' } })
    await editor.press('Control+Enter')
    await card(page).getByText('It has changed since you read it').waitFor()
    expect(await editor.textContent()).toContain('Mine')
    expect(await commentOf(id)).toMatchObject({ commonmark: 'Elsewhere' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('has an address that scrolls to it; others can neither edit nor delete it', async () => {
    const id = await make()
    for (let at = 0; at < 12; at++)
      await api.put(`/artifacts/${id}`, { as: MARA, body: { comment: { body: `Line ${at}\n\nof many.` } } })
    const { page, context } = await visit(browser, api, `/artifacts/${id}#comment-2`, { as: OLGA })
    await page.locator('#v2:focus').waitFor()
    expect(await page.locator('#v2').getAttribute('data-wanted')).toBe('true')
    expect((await card(page).boundingBox())?.y).toBeGreaterThan(0)
    for (const name of ['Edit comment', 'Delete comment']) expect(await button(page, name).count()).toBe(0)
    await button(page, 'React').waitFor()
    await context.close()
  })
})
