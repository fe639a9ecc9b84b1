import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { DIRECTORY_PASSWORD, personLdif } from '../../../server/test/fixtures/directory-people.ts'
import { ADA } from '../../../server/test/fixtures/people.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { startWorld } from '../../../server/test/harness/start-world.ts'
import { unusedPort } from '../../../server/test/harness/unused-port.ts'
import { PEOPLE_BASE, READER, startSlapd } from '../../../server/test/peers/slapd.ts'
import { readWebUi, WEB_UI_FOLDER } from '../../../server/src/platform/http/web-ui.ts'
import { visit } from '../../test/visitor.ts'

describe.skipIf(CHROMIUM === undefined)('signing in by a directory (needs Chromium: npm run setup)', async () => {
  const slapd = await startSlapd({
    ldif: personLdif({ login: 'nina', name: 'Nina New', email: 'nina@orchard.example' }),
  })
  const port = await unusedPort()
  const webUi = await readWebUi(WEB_UI_FOLDER)
  const { api, clock } = await startWorld({
    seedOnce: true,
    port,
    ...(webUi && { webUi }),
    environment: { WAYPOST_PUBLIC_URL: `http://127.0.0.1:${port}` },
  })
  const browser = await startBrowser()
  afterAll(async () => {
    await browser.close()
    await slapd.close()
  })
  const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  async function signIn(locale = 'en-GB'): Promise<Page> {
    const { page } = await visit(browser, api, '/sign-in?next=%2Fhelp', { locale })
    const isGerman = locale.startsWith('de')
    await page.locator('input[name=username]').fill('nina')
    await page.locator('input[name=password]').fill(DIRECTORY_PASSWORD)
    await button(page, isGerman ? 'Anmelden' : 'Sign in').click()
    return page
  }

  test('an administrator adds a directory and tests it; a person signs in, and reads why when it is down', async () => {
    const { page, complaints } = await visit(browser, api, '/administration/directories', { as: ADA })
    await button(page, 'New directory').click()
    for (const [label, value] of [
      ['Name for people', 'Company directory'],
      ['Name in addresses', 'company'],
      ['Hosts', slapd.secure],
      ['Certificate authority', slapd.ca],
      ['Account that searches', READER.dn],
      ['Password of that account', READER.password],
      ['Base of people', PEOPLE_BASE],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(value)
    await button(page, 'Add the directory').click()
    await shown(page, 'Added “Company directory”.')
    await shown(page, 'No sync yet')
    await button(page, 'Test Company directory').click()
    await shown(page, 'The first 1 people have what an account needs.')
    expect(await page.getByText('Wrong', { exact: true }).count()).toBe(0)
    expect(complaints).toEqual([])

    await (await signIn()).waitForURL('**/help*')
    await slapd.stop()
    clock.advance(60_000)
    await shown(await signIn(), 'The directory that checks your password cannot be reached.')
    clock.advance(10_000)
    await shown(await signIn('de-DE'), 'Das Verzeichnis, das dieses Passwort prüft, ist nicht erreichbar.')
  })
})
