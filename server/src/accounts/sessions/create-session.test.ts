import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { cookieIn, SAME_ORIGIN_HEADERS, signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { MARA, PASSWORD, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { masked, refused } from '../../../test/harness/refused.ts'
import { sha256 } from '../../platform/operation/secrets.ts'
import { hashPassword } from '../passwords/password.ts'

const { api, context } = await startWorld()

const MINUTE = 60_000
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('POST /session', () => {
  test('starts a session, and sets a cookie that scripts and other sites cannot use', async () => {
    const answer = await signIn(MARA, { agent: FIREFOX })

    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      is_current: true,
      created_on: '2026-03-01T09:30:00+00:00',
      last_used_on: '2026-03-01T09:30:00+00:00',
      expires_on: '2026-03-31T09:30:00+00:00',
      address: '127.0.0.1',
      agent: 'Firefox on Linux',
      user: (await api.get('/users/self', { as: MARA })).json,
      settings: {
        contact_email: '',
        project_creation: 'everyone',
        restricted_users: false,
        who_may_invite: 'project_admins',
      },
    })
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-waypost=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/),
      expect.stringMatching(
        /^__Host-waypost-device=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('stores only a hash of the value', async () => {
    const cookie = cookieIn(await signIn(MARA)).split('=')[1] ?? ''

    const { rows } = await sql<{ digest: Buffer }>`select digest from session`.execute(context.db)
    expect(rows).toEqual([{ digest: sha256(Buffer.from(cookie, 'base64url')) }])
  })

  test.each([MARA.email, MARA.email.toUpperCase(), 'MARA', 'ｍａｒａ'])(
    'accepts login or address: %s',
    async (username) => {
      expect((await post({ username, password: PASSWORD }, MARA)).status).toBe(201)
    },
  )

  test('refuses an address that two accounts share', async () => {
    await sql`update account set email = 'both@waypost.example' where id in (${MARA.id}, ${TOM.id})`.execute(context.db)

    expect(await post({ username: 'both@waypost.example', password: PASSWORD })).toMatchObject(
      refused(401, 'credentials_invalid'),
    )
  })

  test('refuses an address that is not verified yet', async () => {
    await sql`update account set pending_email = 'new@waypost.example' where id = ${MARA.id}`.execute(context.db)

    expect(await post({ username: 'new@waypost.example', password: PASSWORD })).toMatchObject(
      refused(401, 'credentials_invalid'),
    )
  })

  test.each([
    { what: 'a wrong password', body: { username: 'mara', password: 'not it' } },
    { what: 'an unknown login', body: { username: 'nobody-here', password: PASSWORD } },
    { what: 'an account without a password', body: { username: 'tom', password: PASSWORD } },
    { what: 'a suspended account', body: { username: 'sam', password: PASSWORD } },
    { what: 'a pending account', body: { username: 'pia', password: PASSWORD } },
    { what: 'an access key as password', body: { username: 'mara', password: MARA.key } },
  ])('A15 gives the same response to $what', async ({ body }) => {
    await sql`update account set password_hash = null where id = ${TOM.id}`.execute(context.db)
    const expected = await post({ username: 'mara', password: 'wrong' })

    const answer = await post(body)

    expect(answer).toMatchObject(refused(401, 'credentials_invalid'))
    expect(masked(answer)).toBe(masked(expected))
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await audited(context, 'sign_in', 'refused')).not.toEqual([])
  })

  test('refuses an expired password with the reason', async () => {
    await sql`update account set password_expires_on = ${TEST_NOW} where id = ${MARA.id}`.execute(context.db)

    expect(await post({ username: 'mara', password: PASSWORD })).toMatchObject(refused(403, 'password_expired'))
  })

  test.each([
    [{ username: 'mara' }, 'parameter_required'],
    [{ username: 'mara', password: 7 }, 'parameter_invalid'],
    [{ username: ['mara'], password: PASSWORD }, 'parameter_invalid'],
    [{ username: 'mara', password: 'ä'.repeat(513) }, 'parameter_out_of_range'],
  ])('refuses %j with %s', async (body, reason) => {
    expect(await post(body)).toMatchObject(refused(400, reason))
  })

  test('A24 compares the whole password: the first 72 bytes of 73 are wrong, 64 characters are right', async () => {
    const long = 'p'.repeat(72)
    await setPassword(MARA, `${long}x`)
    await setPassword(TOM, 'ü'.repeat(64))

    expect((await post({ username: 'mara', password: long })).status).toBe(401)
    expect((await post({ username: 'mara', password: `${long}x` }, MARA)).status).toBe(201)
    expect((await post({ username: 'tom', password: 'ü'.repeat(64) }, TOM)).status).toBe(201)
  })

  test('A24/1MB refuses a long password and a megabyte without hashing them', async () => {
    const begun = performance.now()
    const long = await post({ username: 'mara', password: 'p'.repeat(60_000) })
    const megabyte = await post({ username: 'mara', password: 'p'.repeat(1_000_000) })

    expect(long).toMatchObject(refused(400, 'parameter_out_of_range'))
    expect(megabyte).toMatchObject(refused(413, 'payload_too_large'))
    expect(performance.now() - begun).toBeLessThan(5000) // 50 ms on an idle machine.
  })

  test('creates a new value each time, and keeps other sessions', async () => {
    const first = await signInWithCookie(api, MARA)
    const second = await signInWithCookie(api, MARA)

    expect(second.cookie).not.toBe(first.cookie)
    expect((await api.get('/session', { headers: first, reader: MARA })).status).toBe(200)
  })

  test('A16 never accepts a value chosen by the client', async () => {
    const chosen = `__Host-waypost=${Buffer.alloc(32, 7).toString('base64url')}`
    const answer = await api.post('/session', {
      headers: { ...SAME_ORIGIN_HEADERS, cookie: chosen },
      body: { username: 'mara', password: PASSWORD },
      reader: MARA,
    })

    expect(answer.status).toBe(201)
    expect(cookieIn(answer)).not.toBe(chosen)
    expect(await api.get('/session', { headers: { ...SAME_ORIGIN_HEADERS, cookie: chosen } })).toMatchObject(
      refused(401, 'session_expired'),
    )
  })

  test('ends the least recently used session when there are 50', async () => {
    for (let index = 0; index < 50; index++)
      await sql`insert into session (id, digest, account_id, created_on, last_used_on) values (${`old-${index}`},
        ${sha256(Buffer.from([index]))}, ${MARA.id}, ${TEST_NOW}, ${new Date(TEST_NOW.getTime() - index * MINUTE)})`.execute(
        context.db,
      )

    await signInWithCookie(api, MARA)

    const { rows } = await sql<{ id: string }>`select id from session`.execute(context.db)
    expect(rows).toHaveLength(50)
    expect(rows).not.toContainEqual({ id: 'old-49' })
    expect(rows).toContainEqual({ id: 'old-48' })
  })

  test('enforces the limit under concurrent sign-ins', async () => {
    for (let index = 0; index < 48; index++)
      await sql`insert into session (id, digest, account_id, created_on, last_used_on) values (${`old-${index}`},
        ${sha256(Buffer.from([index]))}, ${MARA.id}, ${TEST_NOW}, ${new Date(TEST_NOW.getTime() - MINUTE)})`.execute(
        context.db,
      )

    await Promise.all(Array.from({ length: 6 }, () => signInWithCookie(api, MARA)))

    const { rows } = await sql`select from session`.execute(context.db)
    expect(rows).toHaveLength(50)
  })

  test('is audited with the account as actor', async () => {
    const { json } = await signIn(MARA, { agent: FIREFOX })

    expect(await audited(context, 'sign_in')).toMatchObject([
      {
        actor_id: MARA.id,
        credential_kind: 'session',
        credential_id: json.id,
        address: '127.0.0.1',
        object: `users/${MARA.id}`,
        after: { session: json.id, agent: 'Firefox on Linux' },
        reason: null,
      },
    ])
  })

  test('describes the effect in a dry run, and does not sign in', async () => {
    const answer = await api.post('/session?dry_run=true', {
      headers: SAME_ORIGIN_HEADERS,
      body: { username: 'mara', password: PASSWORD },
      reader: MARA,
    })

    expect(answer.json.dry_run).toMatchObject({
      status: 201,
      would_answer: { id: null, created_on: null, expires_on: null, user: { id: MARA.id } },
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect((await sql`select from session`.execute(context.db)).rows).toEqual([])
  })
})

function signIn(person: TestPerson, { agent }: { agent?: string } = {}) {
  const headers = { ...SAME_ORIGIN_HEADERS, ...(agent !== undefined && { 'user-agent': agent }) }
  return api.post('/session', { headers, body: { username: person.login, password: PASSWORD }, reader: person })
}

function post(body: unknown, reader?: TestPerson) {
  return api.post('/session', { headers: SAME_ORIGIN_HEADERS, body, ...(reader && { reader }) })
}

async function setPassword({ id }: TestPerson, password: string): Promise<void> {
  await sql`update account set password_hash = ${await hashPassword(password)} where id = ${id}`.execute(context.db)
}
