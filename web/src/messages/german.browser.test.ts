import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { ADA, TOM } from '../../../server/test/fixtures/people.ts'
import { takePicture } from '../../test/pictures.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

describe.skipIf(CHROMIUM === undefined)('languages (needs Chromium: npm run setup)', async () => {
  const { api, crates } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  test('German is the language of a visitor whose browser asks for it', async () => {
    const { page, context, complaints } = await visit(browser, api, '/sign-in', { locale: 'de-CH' })
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByLabel('Anmeldename oder E-Mail-Adresse').fill('mara')
    await page.getByLabel('Passwort').fill('not the password')
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByText('Anmeldename oder Passwort ist falsch.').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  test('German is the language of the site for a visitor whose languages the pages do not have', async () => {
    expect((await api.patch('/settings', { as: ADA, body: { language: 'de' } })).status).toBe(200)
    // The process takes over settings with its next request to the API.
    await api.get('/settings', { as: ADA })
    const { page, context } = await visit(browser, api, '/sign-in', { locale: 'fr-FR' })
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
    expect((await api.patch('/settings', { as: ADA, body: { language: 'en' } })).status).toBe(200)
    await context.close()
  })

  test('German is chosen for the account, on pages and in errors of the server', async () => {
    const { page, context, complaints } = await visit(browser, api, '/account/profile', { as: TOM })
    await page.getByLabel('Your language').selectOption({ label: 'Deutsch' })
    await page.getByRole('heading', { level: 1, name: 'Profil', exact: true }).waitFor()
    await takePicture(page, 'german-profile', 'light', 1440)

    await page.goto(`${api.origin}/account/security`)
    await page.getByLabel('Aktuelles Passwort').fill('not it')
    await page.getByLabel('Neues Passwort').fill('a phrase that nobody guesses')
    await page.getByRole('button', { name: 'Passwort ändern' }).click()
    await page.getByText('Das aktuelle Passwort ist falsch.').first().waitFor()

    await page.goto(`${api.origin}/`)
    await page.getByRole('heading', { name: 'Posteingang' }).waitFor()
    await takePicture(page, 'german-home', 'light', 1440)
    await page.goto(`${api.origin}/account/profile`)
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption({ label: 'English' })
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  // A pseudo-locale: the texts of English, in the direction of Arabic.
  test.each([1440, 390])('a right-to-left language mirrors the screens, at %i pixels', async (width) => {
    const id = crates.ids.get('Walnuts')
    const screens = ['/', `/trackers/${crates.tracker.id}`, `/trackers/${crates.tracker.id}/board`, `/artifacts/${id}`]
    const { page, context, complaints } = await visit(browser, api, '/projects', { as: TOM, width })
    await context.addInitScript(`new MutationObserver(() => {
      if (document.documentElement && document.documentElement.dir !== 'rtl') document.documentElement.dir = 'rtl'
    }).observe(document, { childList: true, subtree: true, attributes: true })`)
    for (const screen of screens) {
      await page.goto(`${api.origin}${screen}`)
      await page
        .getByRole('link', { name: 'Walnuts' })
        .or(page.getByRole('heading', { level: 1 }))
        .first()
        .waitFor()
      const [overflow, start] = await page.evaluate<[number, number]>(`[
        document.documentElement.scrollWidth - innerWidth,
        innerWidth - document.querySelector('#main').getBoundingClientRect().right]`)
      // The sidebar stands at the right.
      expect([screen, overflow, start > 200]).toEqual([screen, 0, width > 1000])
      await takePicture(page, `rtl-${screens.indexOf(screen)}`, 'light', width)
    }
    // English text keeps its own direction.
    expect(await page.evaluate(`getComputedStyle(document.querySelector('h1')).direction`)).toBe('ltr')
    expect(complaints).toEqual([])
    await context.close()
  })
})
