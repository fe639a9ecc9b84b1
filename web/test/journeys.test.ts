import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../server/test/harness/browser.ts'
import { MARA, OLGA, PASSWORD, TOM, UMA, VICTOR } from '../../server/test/fixtures/people.ts'
import { inFocus, tabTo } from './keyboard.ts'
import { visit } from './visitor.ts'
import { startPages } from './world.ts'

const nextYear = new Date().getFullYear() + 1
const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('people (needs Chromium: npm run setup)', async () => {
  const { api, context: world } = await startPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  /** The status of a call with this key, by curl. */
  async function curl(key: string): Promise<string> {
    const url = `${api.origin}/api/users/self`
    const { stdout } = await promisify(execFile)('curl', [
      '-s',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      '-H',
      `X-Auth-AccessKey: ${key}`,
      url,
    ])
    return stdout
  }
  const shown = (page: Page, text: string) => page.getByText(text).first().waitFor()
  const keyShown = async (page: Page) => (await page.locator('code', { hasText: /^tlp-k1-/ }).textContent()) ?? ''

  test('sign in, wrongly at first, and out', async () => {
    const { page, context, complaints } = await visit(browser, api, '/account/security')
    await page.waitForURL('**/sign-in?next=*')
    await page.getByLabel('Login').fill('mara')
    await page.getByLabel('Password').fill('a wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').filter({ hasText: /\w/ }).textContent()).toBe('Login or password is wrong.')

    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/account/security')
    await shown(page, 'this one')

    await page.evaluate(`localStorage.setItem('waypost.draft.new', '"begun"')`)
    await page.getByRole('button', { name: 'Trackers of Orchard' }).click()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Bugs' }).waitFor()
    expect(await page.evaluate(`localStorage.getItem('waypost.open_projects')`)).toMatch(/^\d+$/)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    expect(await page.evaluate(`Object.keys(localStorage).filter((name) => /draft|project/.test(name))`)).toEqual([])
    // The device stays known (N06), the session is deleted.
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['waypost-device'])

    for (const next of ['//evil.example', '/\\evil.example']) {
      await page.goto(`${api.origin}/sign-in?next=${encodeURIComponent(next)}`)
      await page.getByLabel('Login').fill('mara')
      await page.getByLabel('Password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await shown(page, ', Mara')
      expect(new URL(page.url()).pathname).toBe('/')
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by mouse: create a key, use it with curl, see its last use, delete it', async () => {
    const { page, context, complaints } = await visit(browser, api, '/account/keys-tokens', { as: UMA })
    await page.getByRole('button', { name: 'Generate a key' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('weather station')
    await page.getByLabel('Expires on').fill(`${nextYear}-05-01`)
    await page.getByLabel('Use the whole API').uncheck()
    await page.getByLabel('Read-only API access').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Generate a key' }).click()
    const key = await keyShown(page)
    expect(await curl(key)).toBe('200')
    await page.keyboard.press('Escape')
    expect(await keyShown(page)).toBe(key)
    await page.getByRole('button', { name: 'I have stored it' }).click()

    await page.reload()
    const row = page.getByRole('listitem').filter({ hasText: 'weather station' })
    await row.waitFor()
    expect(await row.textContent()).toContain(`Expires 1 May ${nextYear}`)
    expect(await row.textContent()).toContain('read:rest')
    expect(await row.textContent()).toMatch(/Last used .+ from 127\.0\.0\.1/)
    expect(await page.content()).not.toContain(key)

    await row.getByRole('button', { name: 'Delete weather station' }).click()
    await page.getByRole('button', { name: 'Delete the key' }).click()
    await row.waitFor({ state: 'detached' })
    await shown(page, 'Deleted “weather station”.')
    expect(await curl(key)).toBe('401')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('confirm the password for a sensitive change long after sign-in, and the change continues', async () => {
    const { page, context, complaints } = await visit(browser, api, '/account/keys-tokens', { as: VICTOR })
    await sql`update session set confirmed_on = null`.execute(world.db)
    await page.getByRole('button', { name: 'Generate a key' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('late')
    await page.getByRole('dialog').getByRole('button', { name: 'Generate a key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Your password').fill('a wrong password')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await shown(page, 'The password is wrong.')
    await dialog.getByLabel('Your password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    expect(await curl(await keyShown(page))).toBe('200')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by keyboard alone: sign in, open the keys, create one and delete it', async () => {
    const { page, context, complaints } = await visit(browser, api, '/')
    const { keyboard } = page
    await page.waitForURL('**/sign-in')
    await shown(page, 'Password')
    await keyboard.type('gus')
    await keyboard.press('Tab')
    await keyboard.type(PASSWORD)
    await keyboard.press('Enter')
    await shown(page, ', Gus')

    await keyboard.press('Control+k')
    await shown(page, 'Go to: Home')
    await keyboard.type('access')
    await page.getByRole('option', { name: 'Go to: Home' }).waitFor({ state: 'detached' })
    await keyboard.press('Enter')
    await inFocus(page.getByRole('heading', { name: 'Access keys', level: 1 })).waitFor()

    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await keyboard.type('by keyboard')
    await keyboard.press('Enter')
    const key = await keyShown(page)
    expect(await curl(key)).toBe('200')
    await page.getByRole('dialog').waitFor()
    await tabTo(page.getByRole('button', { name: 'I have stored it' }))
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await tabTo(page.getByRole('button', { name: 'Delete by keyboard' }))
    await keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await inFocus(page.getByRole('button', { name: 'Cancel' })).waitFor()
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await shown(page, 'Deleted “by keyboard”.')
    expect(await curl(key)).toBe('401')
    expect(complaints).toEqual([])
    await context.close()
  })

  test('change their notification settings, and undo that', async () => {
    const { page, context, complaints } = await visit(browser, api, '/account/notifications', { as: OLGA })
    const settings = async () => (await api.get('/users/self/notification_settings', { as: OLGA })).json
    await page.getByLabel('Mail frequency').selectOption('Once a day')
    await shown(page, 'Saved.')
    await page.getByLabel('At, in your time zone').selectOption('17:00')
    await expect.poll(settings, patient).toMatchObject({ mail: 'daily', digest_hour: 17 })

    // Undo of the first change keeps the second.
    await expect.poll(() => page.getByRole('button', { name: 'Undo' }).count(), patient).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await expect.poll(settings, patient).toMatchObject({ mail: 'immediate', digest_hour: 17 })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by mouse: read their inbox, mark one and all, open an entry, and undo', async () => {
    const { page, context, complaints } = await visit(browser, api, '/inbox', { as: TOM })
    const unread = async () => (await api.get('/notifications', { as: TOM })).headers['x-notifications-unread']
    const before = Number(await unread())
    expect(before).toBeGreaterThan(2)
    await page.getByRole('button', { name: 'Mark read: Label printer' }).click()
    await expect.poll(unread, patient).toBe(String(before - 1))
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(unread, patient).toBe(String(before))

    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await expect.poll(unread, patient).toBe('0')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(unread, patient).toBe(String(before))

    const entry = page.locator('[data-thread]', { hasText: 'Label printer' })
    await entry.getByRole('link').click()
    await page.locator('[data-peek]').getByRole('heading', { name: 'Label printer prints the old logo' }).waitFor()
    await page.getByRole('button', { name: 'Open the full page' }).click()
    await page.getByRole('heading', { name: 'Label printer prints the old logo', level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('by mouse: change their password and end their other sessions', async () => {
    const { page, context, complaints } = await visit(browser, api, '/account/security', { as: VICTOR })
    const other = await visit(browser, api, '/account/security', { as: VICTOR })
    await page.reload()
    await page.getByRole('button', { name: 'End all others' }).click()
    await shown(page, 'All other sessions have ended.')
    await other.page.reload()
    await other.page.waitForURL('**/sign-in?next=*')

    await page.getByLabel('Current password').fill('not it')
    await page.getByLabel('New password').fill('a phrase that nobody guesses')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await shown(page, 'Your password has been changed.')
    expect(complaints).toEqual([])
    await context.close()
    await other.context.close()
  })

  test('choose a theme, which is applied before the next first paint', async () => {
    const { page, context } = await visit(browser, api, '/account/appearance', { as: MARA })
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const light = await ground()
    await page.getByLabel('Dark').check()
    const dark = await ground()
    await page.goto(`${api.origin}/sign-in`)

    expect(dark).not.toBe(light)
    expect(await ground()).toBe(dark)
    await context.close()
  })

  test('navigate on a phone, where the navigation is behind a button', async () => {
    const { page, context, complaints } = await visit(browser, api, '/', { as: TOM, width: 390 })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Orchard' }).click()
    await page.getByRole('heading', { name: 'Orchard', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Orchard' }).waitFor({ state: 'hidden' })
    expect(complaints).toEqual([])
    await context.close()
  })

  test('see the error and the next step, and lose no input, when the server fails', async () => {
    const { page, context } = await visit(browser, api, '/projects', { as: MARA })
    await page.route('**/api/users/self/access_keys*', (route) => route.abort())
    await page.goto(`${api.origin}/account/keys-tokens`)
    await page.getByRole('alert').filter({ hasText: 'The server does not respond.' }).waitFor()
    await page.unroute('**/api/users/self/access_keys*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('listitem').filter({ hasText: 'write:rest' }).waitFor()

    await context.clearCookies()
    await page.getByRole('button', { name: 'Generate a key' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('a draft that stays')
    await page.getByRole('dialog').getByRole('button', { name: 'Generate a key' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /sign in/i })
      .waitFor()
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('a draft that stays')
    await context.close()
  })
})
