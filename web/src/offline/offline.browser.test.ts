import { afterAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { MARA, PASSWORD, TOM } from '../../../server/test/fixtures/people.ts'
import { LEDGER } from '../../../server/test/fixtures/seed-ids.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

const patient = { timeout: 60_000 }

describe.skipIf(CHROMIUM === undefined)('without a connection (needs Chromium: npm run setup)', async () => {
  const { api, crates, deliveries } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())
  const id = crates.ids.get('Walnuts') ?? 0
  const options = { as: TOM, hasServiceWorker: true }

  const notice = (page: Page) => page.getByRole('status', { name: 'Connection' })
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).first().waitFor()
  const kept = (page: Page) =>
    page.evaluate<string[]>(`(async () => {
      const names = await caches.keys()
      const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return requests.flat().map(({ url }) => new URL(url).pathname)
    })()`)
  const keeps = async (page: Page, path: string) => {
    await expect.poll(() => kept(page), patient).toContain(path)
  }
  const owner = (page: Page) => page.evaluate<string | null>(`localStorage.getItem('waypost.offline_account')`)
  const isInstalled = async (page: Page) => {
    await expect.poll(() => page.evaluate(`Boolean(navigator.serviceWorker.controller)`), patient).toBe(true)
  }

  test.each([390, 1440])(
    'an artifact and a table that were seen before open, and say from when they are; %i pixels wide',
    async (width) => {
      const { page, context } = await visit(browser, api, `/artifacts/${id}`, { ...options, width })
      await heading(page, 'Walnuts')
      await keeps(page, `/api/artifacts/${id}`)
      await page.goto(`${api.origin}/trackers/${crates.tracker.id}`)
      await page.getByRole('link', { name: 'Walnuts' }).first().waitFor()
      await keeps(page, `/api/trackers/${crates.tracker.id}/artifacts`)
      await isInstalled(page)
      expect(await notice(page).textContent()).toBe('')

      await context.setOffline(true)
      await notice(page).getByText('You are offline.').waitFor()
      await page.reload()
      await page.getByRole('link', { name: 'Walnuts' }).first().waitFor()
      await notice(page)
        .getByText(/No connection\. Shown as of .*\d\d:\d\d/)
        .waitFor()
      await page.goto(`${api.origin}/artifacts/${id}`)
      await heading(page, 'Walnuts')
      await notice(page)
        .getByText(/No connection\. Shown as of .*\d\d:\d\d/)
        .waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      // Not seen before.
      await page.goto(`${api.origin}/artifacts/${deliveries.id}`)
      await page.getByRole('alert').first().waitFor()

      await context.setOffline(false)
      await page.goto(`${api.origin}/artifacts/${id}`)
      await heading(page, 'Walnuts')
      await expect.poll(() => notice(page).textContent(), patient).toBe('')
      await context.close()
    },
  )

  test('kept answers are deleted on sign-out, and the next account finds none of them', async () => {
    const { page, context } = await visit(browser, api, `/trackers/${LEDGER}`, { ...options, as: MARA, width: 390 })
    await page.getByRole('grid').waitFor()
    await keeps(page, `/api/trackers/${LEDGER}`)
    await isInstalled(page)
    expect(await owner(page)).toBe(String(MARA.id))
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    expect(await page.evaluate('caches.keys()')).toEqual([])
    expect(await owner(page)).toBeNull()
    expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(0)

    await page.getByLabel('Login').fill(TOM.login)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /, Tom/ }).waitFor()
    await page.goto(`${api.origin}/artifacts/${id}`)
    await heading(page, 'Walnuts')
    await keeps(page, `/api/artifacts/${id}`)
    expect(await kept(page)).not.toContain(`/api/trackers/${LEDGER}`)
    await isInstalled(page)
    await context.setOffline(true)
    await page.goto(`${api.origin}/trackers/${LEDGER}`)
    await page.getByRole('alert').first().waitFor()
    await context.close()
  })

  test('an account that takes over without a sign-out replaces what was kept; another tab keeps and shows none', async () => {
    const { page, context } = await visit(browser, api, `/trackers/${LEDGER}`, { ...options, as: MARA })
    await page.getByRole('grid').waitFor()
    await keeps(page, `/api/trackers/${LEDGER}`)
    const other = await visit(browser, api, '/projects', { as: TOM })
    await context.addCookies(await other.context.cookies())
    await other.context.close()

    const second = await context.newPage()
    await second.goto(`${api.origin}/artifacts/${id}`)
    await heading(second, 'Walnuts')
    await expect.poll(() => owner(second), patient).toBe(String(TOM.id))
    // Answers to requests before the change of the account was known are not kept.
    await second.reload()
    await heading(second, 'Walnuts')
    await keeps(second, `/api/artifacts/${id}`)
    expect(await kept(second)).not.toContain(`/api/trackers/${LEDGER}`)
    // The first tab has the session of Mara in memory.
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await notice(page).getByText('You are offline.').waitFor()
    expect(await notice(page).textContent()).not.toContain('Shown as of')
    await context.close()
  })

  test('answers that an account may no longer see are deleted once the server says so', async () => {
    const { page, context } = await visit(browser, api, `/artifacts/${id}`, options)
    await heading(page, 'Walnuts')
    await keeps(page, `/api/artifacts/${id}`)
    await keeps(page, `/api/artifacts/${id}/changesets`)
    await keeps(page, `/api/trackers/${crates.tracker.id}`)
    expect((await api.delete(`/artifacts/${id}`, { as: MARA })).status).toBe(200)
    await page.reload()
    await expect.poll(() => kept(page), patient).not.toContain(`/api/artifacts/${id}`)
    expect(await kept(page)).not.toContain(`/api/artifacts/${id}/changesets`)
    expect(await kept(page)).toContain(`/api/trackers/${crates.tracker.id}`)

    // The session has ended.
    await context.clearCookies()
    await page.reload()
    await expect.poll(() => owner(page), patient).toBeNull()
    expect((await kept(page)).filter((path) => path.startsWith('/api/'))).toEqual([])
    await context.close()
  })

  test('keys, preferences, administration and files are not kept', async () => {
    const { page, context } = await visit(browser, api, '/account/keys-tokens', { ...options })
    await page.getByText('nightly import').waitFor()
    await page.goto(`${api.origin}/artifacts/${deliveries.id}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await keeps(page, `/api/artifacts/${deliveries.id}`)
    const api_paths = (await kept(page)).filter((path) => path.startsWith('/api/'))
    expect(api_paths.filter((path) => /keys|preferences|settings|files|admin|users\/\d+$/.test(path))).toEqual([])
    expect((await kept(page)).filter((path) => path.startsWith('/files/'))).toEqual([])
    await context.close()
  })

  test('visitors without an account keep nothing', async () => {
    const { page, context } = await visit(browser, api, '/sign-in', { hasServiceWorker: true })
    await page.getByLabel('Password').waitFor()
    await page.goto(`${api.origin}/projects`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.evaluate('caches.keys()')).toEqual([])
    await context.close()
  })
})
