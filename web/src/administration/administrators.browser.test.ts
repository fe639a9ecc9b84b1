import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { LINK_TTL_MS, makeLink } from '../../../server/src/accounts/mails/mailed-link.ts'
import { inTransaction } from '../../../server/src/platform/database/db.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { ADA, MARA, TOM, UMA } from '../../../server/test/fixtures/people.ts'
import { ORCHARD } from '../../../server/test/fixtures/seed-ids.ts'
import { leaveTraces } from '../../test/administered.ts'
import { inFocus, tabTo } from '../../test/keyboard.ts'
import { visit } from '../../test/visitor.ts'
import { startPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('administrators (needs Chromium: npm run setup)', async () => {
  const world = await startPages()
  const { api, context } = world
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor()
  const limit = async () => (await api.get('/settings', { as: ADA })).json.artifact_deletion_limit
  const status = async () => (await api.get(`/users/${UMA.id}`, { as: ADA })).json.status
  const waiting = async () => (await api.get('/jobs?state=waiting&type=webhook_delivery', { as: ADA })).json.length

  test('by mouse: change the deletion limit, retry a job and restore a deleted artifact', async () => {
    const { page, context: tab, complaints } = await visit(browser, api, '/', { as: ADA })
    await page.getByRole('link', { name: 'Site administration' }).click()
    await shown(page, 'Failed jobs')
    await page.getByRole('link', { name: 'Jobs', exact: true }).click()
    await shown(page, 'store not reachable')
    const before = await waiting()
    await page.getByRole('button', { name: /^Retry/ }).click()
    await shown(page, 'The job will be retried')
    await shown(page, 'No failed jobs.')
    expect(await waiting()).toBe(before + 1)

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Deletion limit').fill('many')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Deletion limit').fill('25')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await expect.poll(limit, patient).toBe(25)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(limit, patient).toBe(100)

    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('button', { name: 'Restore Bees on strike' }).click()
    await shown(page, 'Restored “Bees on strike”.')
    await page.getByRole('button', { name: 'Purge Ladder without rungs' }).click()
    await page.getByRole('button', { name: 'Purge it now' }).click()
    await shown(page, '“Ladder without rungs” has been purged.')

    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByLabel('Name, login or e-mail address').fill('uma')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('link', { name: 'Uma Under' }).click()
    await page.getByLabel('Suspended').click()
    await page.getByRole('button', { name: 'Change the status' }).click()
    await expect.poll(status, patient).toBe('S')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(status, patient).toBe('A')

    await page.getByRole('link', { name: 'Audit log' }).click()
    const [log] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ])
    expect(await readFile(await log.path(), 'utf8')).toContain(`users/${UMA.id}`)
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('by keyboard alone: change the deletion limit, retry a job and restore a deleted artifact', async () => {
    await leaveTraces(world, ['Cart without wheels', 'Geese on strike'])
    const { page, context: tab, complaints } = await visit(browser, api, '/', { as: ADA })
    const { keyboard } = page
    const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
    const heading = (name: string, level = 1) => page.getByRole('heading', { name, level })
    const press = async (control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
      await control.waitFor()
      await tabTo(control, key)
      await keyboard.press('Enter')
    }
    /** The navigation precedes the focused element. */
    const goTo = async (screen: string) => {
      await press(page.getByRole('link', { name: screen, exact: true }).last(), 'Shift+Tab')
      await inFocus(heading(screen)).waitFor()
    }
    await shown(page, ', Ada')
    await keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Go to: Home' }).waitFor()
    await keyboard.type('site admin')
    await page.getByRole('option', { name: 'Go to: Home' }).waitFor({ state: 'detached' })
    await keyboard.press('Enter')
    await shown(page, 'Failed jobs')
    await goTo('Jobs')
    const before = await waiting()
    await press(button(/^Retry/))
    await shown(page, 'The job will be retried')
    // Its row is removed, and the focus moves to the heading of the list.
    await inFocus(heading('Failed', 2)).waitFor()
    expect(await waiting()).toBe(before + 1)

    await goTo('Settings')
    const field = page.getByLabel('Deletion limit')
    await field.waitFor()
    await tabTo(field)
    await keyboard.type('many')
    await keyboard.press('Enter')
    await page.locator('[aria-invalid="true"]').waitFor()
    await inFocus(field).waitFor()
    await keyboard.press('Control+a')
    await keyboard.type('25')
    await press(button('Save the settings'))
    await expect.poll(limit, patient).toBe(25)
    await inFocus(heading('Settings')).waitFor()
    await keyboard.press('u')
    await expect.poll(limit, patient).toBe(100)

    await goTo('Trash')
    await press(button('Restore Geese on strike'))
    await shown(page, 'Restored “Geese on strike”.')
    await inFocus(heading('Deleted', 2)).waitFor()
    await press(button('Purge Cart without wheels'))
    await inFocus(button('Cancel')).waitFor()
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await shown(page, '“Cart without wheels” has been purged.')
    await inFocus(heading('Deleted', 2)).waitFor()

    await goTo('Audit log')
    const action = page.getByLabel('Action')
    await tabTo(action)
    await keyboard.type('no.such.action')
    await keyboard.press('Enter')
    await page.waitForURL(/action=no\.such\.action/)
    await inFocus(action).waitFor()
    await page.goBack()
    await expect.poll(() => action.inputValue(), patient).toBe('')
    await page.goForward()
    await expect.poll(() => action.inputValue(), patient).toBe('no.such.action')

    await goTo('Users')
    const words = page.getByLabel('Name, login or e-mail address')
    await tabTo(words)
    await keyboard.type('uma')
    await keyboard.press('Enter')
    await page.getByRole('link', { name: 'Uma Under' }).waitFor()
    await inFocus(words).waitFor()
    await press(page.getByRole('link', { name: 'Uma Under' }))
    await page.getByLabel('Suspended').waitFor()
    await tabTo(page.getByLabel('Active'))
    await keyboard.press('ArrowDown')
    await keyboard.press('ArrowDown')
    await inFocus(page.getByLabel('Suspended')).waitFor()
    expect(await status()).toBe('A')
    await keyboard.press('Enter')
    await expect.poll(status, patient).toBe('S')
    await shown(page, 'Saved.')
    await keyboard.press('u')
    await expect.poll(status, patient).toBe('A')
    expect(complaints).toEqual([])
    await tab.close()
  })

  test('only: other people get a notice, and no request is sent for them', async () => {
    const { page, context: tab } = await visit(browser, api, '/administration/audit', { as: TOM })
    await shown(page, 'This is for site administrators')
    const { json } = await api.get(`/audit?actor=${TOM.id}&outcome=refused`, { as: ADA })
    expect(json).toEqual([])
    expect(await page.getByRole('link', { name: 'Site administration' }).count()).toBe(0)
    await tab.close()
  })

  test('invite a person, who creates an account by the mailed link and becomes a member of the project', async () => {
    const invited = { email: 'nina@orchard.example', project_id: ORCHARD, invited_by: MARA.id }
    const link = await inTransaction(context.db, (tx) =>
      makeLink(tx, context, 'invitation', LINK_TTL_MS.invitation, invited),
    )
    const { pathname, hash } = new URL(link)
    const { page, context: tab, complaints } = await visit(browser, api, `${pathname}${hash}`)
    await shown(page, 'become a member of Orchard')
    expect(page.url()).not.toContain(hash)
    await page.getByLabel('Login').fill('mara')
    await page.getByLabel('Your name').fill('Nina New')
    await page.getByLabel('Password').fill('a quite different horse')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Login').fill('nina')
    await page.getByRole('button', { name: 'Create the account' }).click()
    await page.waitForURL('**/projects/orchard')
    await shown(page, 'Nina New')
    expect(complaints).toEqual([])
    await tab.close()
  })
})
