import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { PASSWORD, TOM, VICTOR } from '../../../server/test/fixtures/people.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('people without a mouse (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor()

  test('by keyboard alone: read their inbox, mark one and all, open an entry, and undo', async () => {
    const { page, context, complaints } = await visit(browser, api, '/', { as: TOM })
    const { keyboard } = page
    const unread = async () => (await api.get('/notifications', { as: TOM })).headers['x-notifications-unread']
    const before = Number(await unread())
    await page.getByRole('link', { name: 'Label printer' }).last().waitFor()
    await tabTo(page.getByRole('button', { name: 'Mark read: Label printer' }))
    await keyboard.press('e')
    await expect.poll(unread, patient).toBe(String(before - 1))
    // The focus moves to the next entry.
    await inFocus(page.locator('[data-thread]')).waitFor()
    await page.getByRole('button', { name: 'Mark unread: Label printer' }).waitFor()
    await shown(page, 'Marked as read.')
    await keyboard.press('u')
    await expect.poll(unread, patient).toBe(String(before))

    await tabTo(page.getByRole('button', { name: 'Mark all as read' }), 'Shift+Tab')
    await keyboard.press('Enter')
    await expect.poll(unread, patient).toBe('0')
    // The button is removed, and the focus moves to the heading.
    await inFocus(page.getByRole('heading', { name: 'Inbox' })).waitFor()
    await tabTo(page.getByRole('button', { name: 'Undo' }))
    await keyboard.press('Enter')
    await expect.poll(unread, patient).toBe(String(before))
    await inFocus(page.locator('main *')).waitFor()

    await tabTo(page.getByRole('link', { name: 'Label printer prints the old logo' }).first(), 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Label printer prints the old logo', level: 1 }).waitFor()
    // The entry links to the first version, which gets the focus.
    await inFocus(page.locator('#v1')).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard alone: change their password and end their other sessions', async () => {
    const { page, context, complaints } = await visit(browser, api, '/', { as: VICTOR })
    const { keyboard } = page
    const other = await visit(browser, api, '/account/security', { as: VICTOR })
    await shown(page, ', Victor')
    await keyboard.press('g')
    await keyboard.press('s')
    await inFocus(page.getByRole('heading', { name: 'Password and sessions', level: 1 })).waitFor()
    await tabTo(page.getByRole('button', { name: 'End all others' }))
    await keyboard.press('Enter')
    await shown(page, 'All other sessions have ended.')
    await inFocus(page.getByRole('heading', { name: 'Sessions' })).waitFor()
    await other.page.reload()
    await other.page.waitForURL('**/sign-in?next=*')

    await tabTo(page.getByLabel('Current password'), 'Shift+Tab')
    await keyboard.type('not it')
    await keyboard.press('Tab')
    await keyboard.type('a phrase that nobody guesses')
    await keyboard.press('Enter')
    await page.locator('[aria-invalid="true"]').waitFor()
    await keyboard.press('Shift+Tab')
    await keyboard.type(PASSWORD)
    await keyboard.press('Enter')
    await shown(page, 'Your password has been changed.')
    expect(complaints).toEqual([])
    await context.close()
    await other.context.close()
  })
})
