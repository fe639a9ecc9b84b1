import { afterAll, describe, expect, test } from 'vitest'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { TOM } from '../../../server/test/fixtures/people.ts'
import { takePicture } from '../../test/pictures.ts'
import { visit } from '../../test/visitor.ts'
import { startFewPages } from '../../test/world.ts'

describe.skipIf(CHROMIUM === undefined)('German (needs Chromium: npm run setup)', async () => {
  const { api } = await startFewPages()
  const browser = await startBrowser()
  afterAll(() => browser.close())

  test('is the language of a visitor whose browser asks for it', async () => {
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

  test('is chosen for the account, on pages and in errors of the server', async () => {
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
})
