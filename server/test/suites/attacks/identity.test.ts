import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createProviderFetch } from '../../../src/accounts/identity/provider-requests.ts'
import { createRateLimits } from '../../../src/platform/http/rate-limit.ts'
import { ADA, MARA, SAM, TOM } from '../../fixtures/people.ts'
import { createIdentityBrowser, type IdentityBrowser } from '../../harness/identity-browser.ts'
import { startWorld } from '../../harness/start-world.ts'
import { peerClient, startIdentityPeer } from '../../peers/identity-peer.ts'
import { startReceiver } from '../../peers/webhook-receiver.ts'

// Sign-in by OpenID Connect, against a real provider whose tokens can be spoiled.
const peer = await startIdentityPeer()
const receiver = await startReceiver()
const { api, context, clock, startAnother } = await startWorld()

const PEOPLE = {
  tom: { email: TOM.email, email_verified: true },
  mara: { email: MARA.email, email_verified: true },
  sam: { email: SAM.email, email_verified: true },
  mallory: { email: ADA.email, email_verified: false },
}
const CALLBACK = 'https://waypost.example/sign-in/oidc/company/callback'
const client = { client_id: 'waypost', client_secret: 'the secret of the client', is_internal: true, match_by: 'email' }

beforeEach(async () => {
  const redirect_uris = [CALLBACK, CALLBACK.replace('company', 'twin')]
  await peer.configure([peerClient({ redirect_uris })], PEOPLE)
  clock.set(new Date())
  await addProvider('company')
})

async function addProvider(name: string, more: object = {}): Promise<void> {
  const body = { name, label: name, issuer: peer.issuer, ...client, ...more }
  const answer = await api.post('/identity_providers', { as: ADA, body })
  if (answer.status !== 201) throw new Error(answer.text)
}

/** The address at which the provider sends this browser back. */
async function leaveAndReturn(browser: IdentityBrowser, person = 'tom', query = ''): Promise<string> {
  const { headers } = await browser.visit(`/sign-in/oidc/company${query}`)
  return browser.passProvider(headers.location ?? '', person)
}

async function finish(browser: IdentityBrowser, address: string): Promise<string> {
  return (await browser.open(address)).headers.location ?? ''
}

const signIn = async (person: string, browser = createIdentityBrowser(api), query = '') =>
  finish(browser, await leaveAndReturn(browser, person, query))

const sessions = async () => (await sql`select from session`.execute(context.db)).rows.length

describe('the answer of a provider', () => {
  test('O01 of an attacker, opened by a victim, signs nobody in', async () => {
    const address = await leaveAndReturn(createIdentityBrowser(api))
    expect(await finish(createIdentityBrowser(api), address)).toContain('refused=expired')
    const victim = createIdentityBrowser(api)
    await victim.visit('/sign-in/oidc/company')
    expect(await finish(victim, address)).toContain('refused=expired')
    expect(await sessions()).toBe(0)
  })

  test('O02 with another state, without one, or with an altered cookie is refused', async () => {
    for (const spoilt of ['state=x', '']) {
      const browser = createIdentityBrowser(api)
      const address = (await leaveAndReturn(browser)).replace(/state=[\w-]+/, spoilt)
      expect(await finish(browser, address)).toContain('refused=expired')
    }
    const browser = createIdentityBrowser(api)
    const address = await leaveAndReturn(browser)
    const cookie = browser.cookies.get('__Host-waypost-identity') ?? ''
    browser.cookies.set('__Host-waypost-identity', `${cookie.slice(0, -4)}AAAA`)
    expect(await finish(browser, address)).toContain('refused=expired')
    expect(await sessions()).toBe(0)
  })

  test('O03 counts once, on every process', async () => {
    const browser = createIdentityBrowser(api)
    const address = await leaveAndReturn(browser)
    const kept = [...browser.cookies]
    expect(await finish(browser, address)).toBe('/')
    const other = await startAnother()
    for (const target of [api, other.api]) {
      const again = createIdentityBrowser(target)
      for (const [name, value] of kept) again.cookies.set(name, value)
      expect(await finish(again, address)).toContain('refused=expired')
    }
    expect(await sessions()).toBe(1)
  })

  test('O04 counts for ten minutes', async () => {
    const browser = createIdentityBrowser(api)
    const address = await leaveAndReturn(browser)
    clock.advance(600_000)
    expect(await finish(browser, address)).toContain('refused=expired')
  })

  test('O05 of one provider does not count for another: by the address, or by the issuer in the answer', async () => {
    await addProvider('twin')
    const browser = createIdentityBrowser(api)
    const address = await leaveAndReturn(browser)
    expect(await finish(browser, address.replace('company', 'twin'))).toContain('refused=expired')

    const another = createIdentityBrowser(api)
    const url = new URL(await leaveAndReturn(another))
    expect(url.searchParams.get('iss')).toBe(peer.issuer)
    url.searchParams.set('iss', 'https://evil.example')
    expect(await finish(another, url.href)).toContain('refused=invalid')

    const third = createIdentityBrowser(api)
    const without = new URL(await leaveAndReturn(third))
    without.searchParams.delete('iss')
    expect(await finish(third, without.href)).toContain('refused=invalid')
    expect(await sessions()).toBe(0)
  })

  test('O06 with a stolen code is refused: the code belongs to the browser that asked for it (PKCE)', async () => {
    const stolen = new URL(await leaveAndReturn(createIdentityBrowser(api), 'mara')).searchParams.get('code') ?? ''
    const thief = createIdentityBrowser(api)
    const url = new URL(await leaveAndReturn(thief))
    url.searchParams.set('code', stolen)
    expect(await finish(thief, url.href)).toContain('refused=invalid')
    expect(await sessions()).toBe(0)
  })

  test('O21 that comes after the provider was switched off is refused', async () => {
    const browser = createIdentityBrowser(api)
    const address = await leaveAndReturn(browser)
    await api.patch('/identity_providers/company', { as: ADA, body: { is_enabled: false } })
    expect(await finish(browser, address)).toContain('refused=provider_unknown')
  })
})

describe('a token', () => {
  const refused = { leadsTo: '/sign-in?refused=invalid&provider=company', sessions: 0 }
  const signInWith = async (fault: string) => {
    await peer.spoil(fault)
    return { leadsTo: await signIn('tom'), sessions: await sessions() }
  }
  test.each(['audience', 'audiences'])('O07 for another client (%s) is refused', async (fault) => {
    expect(await signInWith(fault)).toEqual(refused)
  })
  test.each(['expired', 'future'])('O08 that is %s is refused', async (fault) => {
    expect(await signInWith(fault)).toEqual(refused)
  })
  test.each(['none', 'unsigned', 'secret', 'strangers_key', 'signature'])(
    'O09 signed by nobody or a stranger (%s) is refused',
    async (fault) => {
      expect(await signInWith(fault)).toEqual(refused)
    },
  )
  test.each(['nonce', 'no_nonce'])('O10 of another sign-in (%s) is refused', async (fault) => {
    expect(await signInWith(fault)).toEqual(refused)
  })
  test('O11 of another issuer is refused', async () => {
    expect(await signInWith('issuer')).toEqual(refused)
  })
  test.each(['no_subject', 'long_subject', 'nul_subject'])(
    'O14 without a usable subject (%s) is refused',
    async (fault) => {
      expect(await signInWith(fault)).toEqual(refused)
    },
  )
})

describe('an account', () => {
  test('O12 is not given to another subject that gets its address', async () => {
    expect(await signIn('tom')).toBe('/')
    await peer.people({ heir: { email: TOM.email, email_verified: true } })
    expect(await signIn('heir')).toContain('refused=account_linked')
    expect(await sessions()).toBe(1)
  })

  test('O13 is not found by an address that the provider has not verified', async () => {
    expect(await signIn('mallory')).toContain('refused=address_unverified')
    await api.patch('/identity_providers/company', { as: ADA, body: { new_accounts: 'always' } })
    expect(await signIn('mallory')).toContain('refused=address_unverified')
    expect(await sessions()).toBe(0)
  })

  test.each([
    ['S', 'account_suspended'],
    ['D', 'account_deleted'],
  ])('O15 of status %s is refused, and no other one is made: %s', async (status, code) => {
    await api.patch('/identity_providers/company', { as: ADA, body: { new_accounts: 'always' } })
    expect(await signIn('tom')).toBe('/')
    await api.patch(`/users/${TOM.id}`, { as: ADA, body: { values: { status } } })
    expect(await sessions()).toBe(0)
    expect(await signIn('tom')).toContain(`refused=${code}`)
    expect(await signIn('sam')).toContain('refused=account_suspended')
    expect(await sessions()).toBe(0)
  })
})

test('O16 the way back leads to a path of this platform only', async () => {
  for (const evil of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/%0d%0aset-cookie:x=1',
    `/${'x'.repeat(2000)}`,
  ]) {
    const ends = await signIn('tom', createIdentityBrowser(api), `?return_to=${encodeURIComponent(evil)}`)
    expect(ends, evil).toMatch(/^\/(?![/\\])/)
    expect(new URL(ends, 'https://waypost.example').origin).toBe('https://waypost.example')
  }
})

describe('requests to a provider', () => {
  const load = (address: string, trust: { issuer: string; is_internal: boolean }) =>
    createProviderFetch(context, trust)(address, { method: 'GET', headers: {}, body: null, redirect: 'manual' })
  const outside = { issuer: 'https://login.example', is_internal: false }
  const inside = { issuer: 'https://10.1.1.1', is_internal: true }

  test.each([
    ['https://127.0.0.1/', outside],
    ['https://10.1.1.1/', outside],
    ['https://[::ffff:10.1.1.1]/', outside],
    ['https://169.254.169.254/', { issuer: 'https://169.254.169.254', is_internal: true }],
    ['https://10.1.1.2/', inside],
    ['http://10.1.1.1/', inside],
    ['https://10.1.1.1:5432/', inside],
    ['file:///etc/passwd', inside],
  ])('O17 never go to %s as %j', async (address, trust) => {
    await expect(load(address, trust)).rejects.toMatchObject({ kind: 'address' })
  })

  test('O17/name never go to a name that leads inside', async () => {
    vi.spyOn(context, 'addressesOf').mockResolvedValue(['203.0.114.1', '10.1.1.1'])
    await expect(load('https://login.example/', outside)).rejects.toMatchObject({ kind: 'address' })
    vi.restoreAllMocks()
  })

  test('O18 are not redirected, and bounded in size and time', async () => {
    const trust = { issuer: receiver.url(), is_internal: true }
    const redirected = await load(receiver.url('/redirect?to=/status/200'), trust)
    expect(redirected.status).toBe(302)
    await expect(load(receiver.url('/endless'), trust)).rejects.toMatchObject({ kind: 'size' })
    await expect(load(receiver.url('/silent'), trust)).rejects.toMatchObject({ kind: 'time' })
    expect((await receiver.received()).map(({ path }) => path)).not.toContain('/status/200')
  })
})

describe('a logout token', () => {
  const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const now = () => Math.floor(Date.now() / 1000)
  const sign = (more: object = {}) =>
    peer.sign({
      iss: peer.issuer,
      aud: 'waypost',
      sub: 'tom',
      iat: now(),
      exp: now() + 120,
      jti: crypto.randomUUID(),
      events: EVENT,
      ...more,
    })
  const notify = (logout_token: string) => api.post('/identity_providers/company/logout', { body: { logout_token } })

  test.each([
    { by_stranger: true },
    { aud: 'another client' },
    { iss: 'https://evil.example' },
    { exp: 1_000_000 },
    { iat: 1_000_000 },
    { events: undefined },
    { events: { 'http://schemas.openid.net/event/other': {} } },
    { nonce: 'of an ID token' },
    { sub: undefined },
    { jti: undefined },
  ])('O19 with %j ends nothing', async (more) => {
    await signIn('tom')
    expect((await notify(await sign(more))).status).toBe(400)
    expect(await sessions()).toBe(1)
  })

  test('O19/replay counts once', async () => {
    await signIn('tom')
    const token = await sign()
    expect((await notify(token)).status).toBe(200)
    expect((await notify(token)).status).toBe(400)
  })

  test('O20 by a stranger makes this server ask the provider for its keys ten times a minute at most', async () => {
    await signIn('tom')
    countRateLimits()
    const before = await peer.answered()
    for (let sent = 0; sent < 20; sent++) expect((await notify(await sign({ by_stranger: true }))).status).toBe(400)
    expect((await peer.answered()) - before).toBeLessThanOrEqual(11) // The time that passes gives some back.
    vi.restoreAllMocks()
  })
})

test('O22 anonymous visitors are limited, and leave no row', async () => {
  countRateLimits()
  const browser = createIdentityBrowser(api)
  const statuses = new Set<number>()
  for (let visit = 0; visit < 130; visit++) statuses.add((await browser.visit('/sign-in/oidc/company')).status)
  vi.restoreAllMocks()
  expect([...statuses]).toEqual([303, 429])
  const { rows } = await sql`select digest from used_identity_token`.execute(context.db)
  expect(rows).toEqual([])
})

test('O23 passwords can be switched off: no sign-in with one, and the provider still works', async () => {
  await api.patch('/settings', { as: ADA, body: { password_sign_in: 'never' } })
  expect((await api.get('/sign_in_options')).json.password).toBe(false)
  const body = { username: 'tom', password: 'correct horse battery staple' }
  expect((await api.post('/session', { body })).json.error.reason).toBe('password_sign_in_disabled')
  expect(await signIn('tom')).toBe('/')
})

/** Tests have no rate limits otherwise. */
function countRateLimits(): void {
  const rateLimits = createRateLimits()
  vi.spyOn(context.rateLimits, 'consume').mockImplementation((...given) => rateLimits.consume(...given))
}
