import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { openStream, WITHIN_A_SECOND_MS } from '../../../test/harness/event-stream.ts'
import { createIdentityBrowser, type IdentityBrowser } from '../../../test/harness/identity-browser.ts'
import { signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, TOM } from '../../../test/fixtures/people.ts'
import { peerClient, startIdentityPeer } from '../../../test/peers/identity-peer.ts'

const peer = await startIdentityPeer()
const { api, context, clock, startAnother } = await startWorld()
const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} }

beforeEach(async () => {
  await peer.configure(
    [peerClient({ backchannel_logout_uri: `${api.origin}/api/identity_providers/company/logout` })],
    { tom: { email: TOM.email, email_verified: true }, mara: { email: MARA.email, email_verified: true } },
  )
  clock.set(new Date())
  const body = { name: 'company', label: 'Company', issuer: peer.issuer, is_internal: true, match_by: 'email' }
  const client = { client_id: 'waypost', client_secret: 'the secret of the client' }
  await api.post('/identity_providers', { as: ADA, body: { ...body, ...client } })
})

async function signIn(person: string): Promise<IdentityBrowser> {
  const browser = createIdentityBrowser(api)
  const { headers } = await browser.visit('/sign-in/oidc/company')
  await browser.open(await browser.passProvider(headers.location ?? '', person))
  return browser
}

const status = async (browser: IdentityBrowser, reader: typeof TOM) =>
  (await api.get('/session', { headers: browser.session, reader })).status

const notify = (token: string) =>
  api.post('/identity_providers/company/logout', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  })

/** A notice as the provider signs it. */
async function logoutToken(more: object = {}, typ?: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: peer.issuer, aud: 'waypost', iat: now, exp: now + 120, jti: crypto.randomUUID(), events: EVENT }
  return peer.sign({ ...claims, ...more }, typ)
}

describe('a logout at the provider', () => {
  test('ends the session on every process and closes its streams within a second; others stay', async () => {
    const other = await startAnother()
    const [tom, mara] = [await signIn('tom'), await signIn('mara')]
    const password = await signInWithCookie(api, TOM)
    const stream = await openStream(api, '/events?after=now', { headers: tom.session })
    const sid = await sidOf('tom')
    expect(await status(tom, TOM)).toBe(200)

    await peer.logout('tom', sid)
    const ended = performance.now()
    expect(await status(tom, TOM)).toBe(401)
    expect((await other.api.get('/session', { headers: tom.session, reader: TOM })).status).toBe(401)
    while (!stream.isOver() && performance.now() - ended < WITHIN_A_SECOND_MS) await pause(5)
    expect(stream.isOver()).toBe(true)
    expect(await status(mara, MARA)).toBe(200)
    expect((await api.get('/session', { headers: password, reader: TOM })).status).toBe(200)
    expect(await audited(context, 'session.end_by_provider')).toHaveLength(1)
  })

  test('without a session ends all those of the person', async () => {
    const browsers = [await signIn('tom'), await signIn('tom')]
    expect((await notify(await logoutToken({ sub: 'tom' }))).status).toBe(200)
    expect(await Promise.all(browsers.map((browser) => status(browser, TOM)))).toEqual([401, 401])
  })

  test('with a session ends that one only', async () => {
    const first = await signIn('tom')
    const sid = await sidOf('tom')
    const second = await signIn('tom')
    expect((await notify(await logoutToken({ sub: 'tom', sid }))).status).toBe(200)
    expect([await status(first, TOM), await status(second, TOM)]).toEqual([401, 200])
  })

  test('refuses the sign-in that it overtakes', async () => {
    const browser = createIdentityBrowser(api)
    const { headers } = await browser.visit('/sign-in/oidc/company')
    const back = await browser.passProvider(headers.location ?? '', 'tom')
    clock.set(new Date(Date.now() + 50_000)) // Within the tolerance; the person came before.
    expect((await notify(await logoutToken({ sub: 'tom' }))).status).toBe(200)
    expect((await browser.open(back)).headers.location).toContain('refused=ended')
    clock.set(new Date())
  })

  async function sidOf(subject: string): Promise<string> {
    const rows = await context.db.selectFrom('identity_session').select('sid').where('subject', '=', subject).execute()
    return rows.at(-1)?.sid ?? ''
  }
})

describe('signing out here', () => {
  test('names the address that signs out at the provider, with the token of the session', async () => {
    const browser = await signIn('tom')
    const { status: code, headers, text } = await api.delete('/session', { headers: browser.session, reader: TOM })
    const [, address = ''] = /^<([^>]+)>; rel="end-session"$/.exec(String(headers['link'])) ?? []
    const { origin, searchParams } = new URL(address)

    expect([code, text, origin]).toEqual([200, '', peer.issuer])
    expect(searchParams.get('post_logout_redirect_uri')).toBe('https://waypost.example/sign-in')
    expect(searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect((await browser.open(address)).status).toBe(200)
    expect(await status(browser, TOM)).toBe(401)
  })

  test('with a session by password names none', async () => {
    const headers = await signInWithCookie(api, TOM)
    expect((await api.delete('/session', { headers, reader: TOM })).headers['link']).toBeUndefined()
  })
})

test('a provider that is switched off or removed ends its sessions', async () => {
  const first = await signIn('tom')
  await api.patch('/identity_providers/company', { as: ADA, body: { is_enabled: false } })
  expect(await status(first, TOM)).toBe(401)
  await api.patch('/identity_providers/company', { as: ADA, body: { is_enabled: true } })
  const second = await signIn('tom')
  await api.delete('/identity_providers/company', { as: ADA })
  expect(await status(second, TOM)).toBe(401)
})
