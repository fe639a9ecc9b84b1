import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { createIdentityBrowser, type IdentityBrowser } from '../../../test/harness/identity-browser.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, OLGA, SAM, TOM } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { unusedPort } from '../../../test/harness/unused-port.ts'
import { peerClient, startIdentityPeer } from '../../../test/peers/identity-peer.ts'

const peer = await startIdentityPeer()
const { api, context, clock, startAnother } = await startWorld()

/** Names of people at the provider are their subjects. */
const PEOPLE = {
  tom: { email: TOM.email, email_verified: true, name: 'Tom at work', preferred_username: 'tom.tiller' },
  sam: { email: SAM.email, email_verified: true, name: 'Sam' },
  mallory: { email: ADA.email, email_verified: false, name: 'Mallory' },
  nina: { email: 'nina@orchard.example', email_verified: true, name: 'Nina New', preferred_username: 'Nina.Néw' },
}

beforeEach(async () => {
  await peer.configure([peerClient()], PEOPLE)
  clock.set(new Date()) // The provider has the time of today.
  await api.post('/identity_providers', { as: ADA, body: provider() })
})

function provider(more: object = {}) {
  return {
    name: 'company',
    label: 'Company account',
    issuer: peer.issuer,
    client_id: 'waypost',
    client_secret: 'the secret of the client',
    is_internal: true,
    match_by: 'email',
    scopes: ['openid', 'email', 'profile', 'groups'],
    ...more,
  }
}

const change = async (body: object) => {
  const answer = await api.patch('/identity_providers/company', { as: ADA, body })
  if (answer.status !== 200) throw new Error(answer.text)
}

async function leave(browser: IdentityBrowser, query = ''): Promise<string> {
  const { status, headers, text } = await browser.visit(`/sign-in/oidc/company${query}`)
  if (status !== 303) throw new Error(`${status} ${text}`)
  return headers.location ?? ''
}

/** Where the sign-in of this person ends. */
async function signIn(person: string, browser = createIdentityBrowser(api), query = ''): Promise<string> {
  const back = await browser.passProvider(await leave(browser, query), person)
  const { status, headers, text } = await browser.open(back)
  if (status !== 303) throw new Error(`${status} ${text}`)
  return headers.location ?? ''
}

const whoIs = async (browser: IdentityBrowser, person?: typeof TOM) =>
  (await api.get('/session', { headers: browser.session, ...(person && { reader: person }) })).json.user?.username

describe('a sign-in by a provider', () => {
  test('finds the account by its verified address, begins a session and goes where the visitor wanted', async () => {
    const browser = createIdentityBrowser(api)
    expect(await signIn('tom', browser, '?return_to=/projects/orchard%3Ftab%3D1')).toBe('/projects/orchard?tab=1')
    expect(await whoIs(browser, TOM)).toBe('tom')
    expect([...browser.cookies.keys()].toSorted()).toEqual(['__Host-waypost', '__Host-waypost-device'])

    const [row] = (await audited(context, 'sign_in')).slice(-1)
    expect(row).toMatchObject({ actor_id: TOM.id, credential_kind: 'session', after: { provider: 'company' } })
  })

  test('sends a request with PKCE, state and nonce, and nothing of it is in the address of the platform', async () => {
    const url = new URL(await leave(createIdentityBrowser(api)))
    const given = Object.fromEntries(url.searchParams)
    expect(given).toMatchObject({
      response_type: 'code',
      client_id: 'waypost',
      redirect_uri: 'https://waypost.example/sign-in/oidc/company/callback',
      scope: 'openid email profile groups',
      code_challenge_method: 'S256',
    })
    for (const random of ['state', 'nonce', 'code_challenge']) expect(given[random]).toMatch(/^[\w-]{43}$/)
  })

  test('by subject afterwards: the address at the provider may change', async () => {
    await signIn('tom')
    await peer.people({ tom: { email: 'someone.else@orchard.example', email_verified: false } })
    const browser = createIdentityBrowser(api)
    expect(await signIn('tom', browser)).toBe('/')
    expect(await whoIs(browser, TOM)).toBe('tom')
  })

  test('goes on while the provider replaces its keys', async () => {
    await signIn('tom')
    await peer.rotate()
    expect(await signIn('tom')).toBe('/')
    await peer.rotate()
    expect(await signIn('tom')).toBe('/')
  })

  test.each([
    { minutes: 0.75, ends: '/' },
    { minutes: -0.75, ends: '/' },
    { minutes: 30, ends: '/sign-in?refused=invalid&provider=company' },
    { minutes: -30, ends: '/sign-in?refused=invalid&provider=company' },
  ])('with a clock that is $minutes minutes ahead ends at $ends', async ({ minutes, ends }) => {
    clock.advance(minutes * 60_000)
    expect(await signIn('tom')).toBe(ends)
  })

  test('begins on one process and ends on another', async () => {
    const other = await startAnother()
    const browser = createIdentityBrowser(api)
    const back = new URL(await browser.passProvider(await leave(browser), 'tom'))
    const otherBrowser = createIdentityBrowser(other.api)
    for (const [name, value] of browser.cookies) otherBrowser.cookies.set(name, value)
    expect((await otherBrowser.open(back.href)).headers.location).toBe('/')
    expect((await browser.open(back.href)).headers.location).toContain('refused=expired')
  })

  test('says so if the provider is down before the sign-in, or during it', async () => {
    const closed = { name: 'closed', issuer: `http://127.0.0.1:${await unusedPort()}` }
    await api.post('/identity_providers', { as: ADA, body: provider(closed) })
    const { headers } = await createIdentityBrowser(api).visit('/sign-in/oidc/closed')
    expect(headers.location).toBe('/sign-in?refused=provider_unavailable&provider=closed')

    const browser = createIdentityBrowser(api)
    const back = await browser.passProvider(await leave(browser), 'tom')
    await peer.down(true)
    expect((await browser.open(back)).headers.location).toContain('refused=provider_unavailable')
    await peer.down(false)
    expect(await signIn('tom', browser)).toBe('/')
  })

  test('holds no connection to the database while the provider is asked', async () => {
    const browser = createIdentityBrowser(api)
    const back = await browser.passProvider(await leave(browser), 'tom')
    const { promise: asked, resolve: reportAsked } = Promise.withResolvers<void>()
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>()
    vi.spyOn(context.identityMemory, 'limit').mockImplementationOnce(async (request) => {
      reportAsked()
      await mayGoOn
      return request()
    })
    const opening = browser.open(back)
    await asked
    const { rows } = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`.execute(context.db)
    goOn()
    expect(rows[0]?.count).toBe(0)
    expect((await opening).headers.location).toBe('/')
  })
})

describe('an account', () => {
  test('is not made unless the provider may', async () => {
    expect(await signIn('nina')).toContain('refused=account_unknown')
    await change({ new_accounts: 'by_registration' })
    expect(await signIn('nina')).toContain('refused=account_unknown') // Registration is closed.
  })

  test('is made at the first sign-in, without a password', async () => {
    await change({ new_accounts: 'always' })
    const browser = createIdentityBrowser(api)
    expect(await signIn('nina', browser)).toBe('/')
    expect(await whoIs(browser)).toBe('nina.new')
    const { rows } = await sql`select login, real_name, email, status, password_hash, is_site_admin from account
      where login = 'nina.new'`.execute(context.db)
    expect(rows).toEqual([
      {
        login: 'nina.new',
        real_name: 'Nina New',
        email: 'nina@orchard.example',
        status: 'A',
        password_hash: null,
        is_site_admin: false,
      },
    ])
  })

  test('waits for approval where registrations do', async () => {
    await change({ new_accounts: 'by_registration' })
    await api.patch('/settings', { as: ADA, body: { registration: 'approval' } })
    expect(await signIn('nina')).toContain('refused=account_pending')
    expect(await signIn('nina')).toContain('refused=account_pending')
    const { rows } = await sql<{
      id: number
    }>`select id from account where login = 'nina.new' and status = 'P'`.execute(context.db)
    await api.patch(`/users/${rows[0]?.id}`, { as: ADA, body: { values: { status: 'A' } } })
    expect(await signIn('nina')).toBe('/')
  })

  test('gets another login if the name is in use', async () => {
    await change({ new_accounts: 'always' })
    await peer.people({ zoe: { email: 'zoe@orchard.example', email_verified: true, preferred_username: 'tom' } })
    const browser = createIdentityBrowser(api)
    await signIn('zoe', browser)
    expect(await whoIs(browser)).toBe('tom2')
  })

  test.each([
    [{ email_domains: ['waypost.example'] }, 'nina', 'address_not_allowed'],
    [{ email_domains: ['orchard.example'], new_accounts: 'always' }, 'mallory', 'address_unverified'],
    [{ match_by: 'subject' }, 'tom', 'account_exists'],
  ])('with %j, %s is refused: %s', async (settings, person, code) => {
    await change(settings)
    expect(await signIn(person)).toContain(`refused=${code}`)
  })

  test('that signs in by subject keeps its session for sensitive changes only if the provider has just asked', async () => {
    const browser = createIdentityBrowser(api)
    await signIn('tom', browser)
    const key = () => api.post('/access_keys', { headers: browser.session, reader: TOM, body: { description: 'x' } })
    expect((await key()).json.error.reason).toBe('confirmation_required')
    await signIn('tom', browser, '?confirm=1')
    expect((await key()).status).toBe(201)
  })
})

describe('groups', () => {
  const held = async (id: number) => {
    const { rows } = await sql<{ name: string }>`
      select user_group_id::text as name from user_group_member where account_id = ${id}
      union all select project_id || case when is_admin then '_4' else '_3' end from project_member
        where account_id = ${id} order by name`.execute(context.db)
    return rows.map(({ name }) => name)
  }
  const mappings = [
    { value: 'leads', user_group: String(LEADS) },
    { value: 'staff', user_group: `${ORCHARD}_3` },
    { value: 'bosses', user_group: `${ORCHARD}_4` },
  ]
  const olga = (...groups: string[]) => ({ olga: { email: OLGA.email, email_verified: true, groups } })

  beforeEach(() => change({ groups_claim: 'groups', group_mappings: mappings }))

  test('of the claim are followed at each sign-in, in both directions', async () => {
    await peer.people(olga('staff', 'leads', 'unmapped'))
    await signIn('olga')
    expect(await held(OLGA.id)).toEqual([`${ORCHARD}_3`, String(LEADS)])
    await peer.people(olga('staff'))
    await signIn('olga')
    expect(await held(OLGA.id)).toEqual([`${ORCHARD}_3`])
    await peer.people(olga())
    await signIn('olga')
    expect(await held(OLGA.id)).toEqual([])
    expect(await audited(context, 'user_group.members')).toHaveLength(4)
  })

  test('that people gave stay', async () => {
    await peer.people({ gus: { email: GUS.email, email_verified: true, groups: ['leads'] } })
    await signIn('gus')
    await peer.people({ gus: { email: GUS.email, email_verified: true, groups: [] } })
    await signIn('gus')
    expect(await held(GUS.id)).toEqual([String(LEADS)])
  })

  test('never take the last administrator of a project away', async () => {
    await peer.people(olga('bosses'))
    await signIn('olga')
    expect(await held(OLGA.id)).toEqual([`${ORCHARD}_4`])
    await sql`update project_member set is_admin = false where account_id = ${MARA.id}`.execute(context.db)
    await peer.people(olga())
    expect(await signIn('olga')).toBe('/')
    expect(await held(OLGA.id)).toEqual([`${ORCHARD}_4`])
  })
})
