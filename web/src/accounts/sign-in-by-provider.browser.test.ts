import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADA, TOM } from '../../../server/test/fixtures/people.ts'
import { CHROMIUM, startBrowser } from '../../../server/test/harness/browser.ts'
import { startWorld } from '../../../server/test/harness/start-world.ts'
import { unusedPort } from '../../../server/test/harness/unused-port.ts'
import { readWebUi, WEB_UI_FOLDER } from '../../../server/src/platform/http/web-ui.ts'
import { peerClient, startIdentityPeer } from '../../../server/test/peers/identity-peer.ts'
import { visit } from '../../test/visitor.ts'

describe.skipIf(CHROMIUM === undefined)('signing in by a provider (needs Chromium: npm run setup)', async () => {
  const peer = await startIdentityPeer()
  const port = await unusedPort()
  const origin = `http://127.0.0.1:${port}`
  const webUi = await readWebUi(WEB_UI_FOLDER)
  const { api, clock } = await startWorld({
    seedOnce: true,
    port,
    ...(webUi && { webUi }),
    environment: { WAYPOST_PUBLIC_URL: origin },
  })
  const browser = await startBrowser()
  afterAll(() => browser.close())
  beforeAll(async () => {
    clock.set(new Date())
    const addresses = {
      redirect_uris: [`${origin}/sign-in/oidc/company/callback`],
      post_logout_redirect_uris: [`${origin}/sign-in`],
      backchannel_logout_uri: `${origin}/api/identity_providers/company/logout`,
    }
    await peer.configure([peerClient(addresses)], {
      tom: { email: TOM.email, email_verified: true },
      stranger: { email: 'stranger@orchard.example', email_verified: true },
    })
  })
  const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  test('an administrator adds a provider and tests it; people sign in, are remembered and sign out', async () => {
    const admin = await visit(browser, api, '/administration/sign-in', { as: ADA })
    await button(admin.page, 'New provider').click()
    for (const [label, value] of [
      ['Text of the button', 'Company account'],
      ['Name in addresses', 'company'],
      ['Issuer', peer.issuer],
      ['Client ID', 'waypost'],
      ['Client secret', 'the secret of the client'],
    ] as const)
      await admin.page.getByLabel(label, { exact: true }).fill(value)
    await admin.page.getByRole('checkbox', { name: 'The provider is inside our network' }).check()
    await button(admin.page, 'Add the provider').click()
    await shown(admin.page, 'Added “Company account”.')
    await button(admin.page, 'Test Company account').click()
    await shown(admin.page, 'The provider knows the client and its secret.')
    await shown(admin.page, /callback is registered\./)
    expect(await admin.page.getByText('Wrong', { exact: true }).count()).toBe(0)

    const { page, complaints } = await visit(browser, api, '/sign-in?next=%2Fhelp')
    await page.getByRole('link', { name: 'Continue with Company account' }).click()
    await page.getByRole('link', { name: 'tom' }).click()
    await page.waitForURL(`${origin}/help/search`)
    await expect
      .poll(() => page.evaluate(async () => (await fetch('/api/session')).text()))
      .toContain('"username":"tom"')

    await page.evaluate(() => fetch('/api/session', { method: 'DELETE' }))
    await page.goto(`${origin}/sign-in`)
    await page.getByRole('link', { name: 'Continue with Company account' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('waypost.sign-in'))).toBe('company')
    expect(complaints.filter((each) => !each.startsWith(`It asked ${peer.issuer}`))).toEqual([])
    expect(admin.complaints).toEqual([])
  })

  test('a person without an account reads why', async () => {
    const { page } = await visit(browser, api, '/sign-in', { width: 390 })
    await page.getByRole('link', { name: 'Continue with Company account' }).click()
    await page.getByRole('link', { name: 'stranger' }).click()
    await shown(page, 'You have no account here. Ask an administrator of this site for an invitation.')
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  })

  test('without passwords the page has buttons only', async () => {
    await api.patch('/settings', { as: ADA, body: { password_sign_in: 'never' } })
    const { page } = await visit(browser, api, '/sign-in')
    await page.getByRole('link', { name: 'Continue with Company account' }).waitFor()
    expect(await page.getByLabel('Password').count()).toBe(0)
  })
})
