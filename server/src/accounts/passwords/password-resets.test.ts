import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { basic } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { SAME_ORIGIN_HEADERS, signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { MARA, PASSWORD, PIA, SAM, TOM } from '../../../test/fixtures/people.ts'
import { masked, refused, statusesOf } from '../../../test/harness/refused.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'

const peer = await startMailPeer()
const { api, context, clock } = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })

const NEXT = 'a quite different horse'
const HOUR = 3_600_000

describe('POST /password_resets', () => {
  test.each(['mara', 'MARA', MARA.email, ` ${MARA.email.toUpperCase()} `])(
    'mails a link to the owner of the login or address %j',
    async (login) => {
      const answer = await api.post('/password_resets', { body: { login } })

      expect(answer).toMatchObject({ status: 202, text: '' })
      expect(peer.mails).toEqual([])
      await runJobs(context)
      expect(peer.mails).toMatchObject([{ to: [MARA.email] }])
    },
  )

  test.each(['nobody-here', 'nobody@waypost.example', SAM.login, PIA.login])(
    'A15 responds the same for %s, without a mail',
    async (login) => {
      const known = await api.post('/password_resets', { body: { login: 'mara' } })
      const unknown = await api.post('/password_resets', { body: { login } })

      expect(unknown.status).toBe(202)
      expect([unknown.text, Object.keys(unknown.headers)]).toEqual([known.text, Object.keys(known.headers)])
      await runJobs(context)
      expect(peer.mails).toHaveLength(1)
    },
  )

  test('sends no mail for an address that two accounts share', async () => {
    await sql`update account set email = 'both@waypost.example' where id in (${MARA.id}, ${TOM.id})`.execute(context.db)
    await ask('both@waypost.example')

    expect(peer.mails).toEqual([])
  })

  test('mails to the address as stored, not as typed', async () => {
    await sql`update account set email = 'mike@waypost.example' where id = ${MARA.id}`.execute(context.db)
    await ask('mi\u212Ae@waypost.example') // The Kelvin sign folds to k.

    expect(peer.mails.map(({ to }) => to)).toEqual([['mike@waypost.example']])
  })

  test('I09 accepts a single string only', async () => {
    expect(await api.post('/password_resets', { body: { login: ['mara', 'eve@evil.example'] } })).toMatchObject(
      refused(400, 'parameter_invalid'),
    )
  })

  test('silently drops the fourth mail within an hour', async () => {
    for (let count = 0; count < 4; count++) await ask('mara')
    expect(peer.mails).toHaveLength(3)
    await ask('tom')
    expect(peer.mails).toHaveLength(4)

    clock.advance(HOUR + 1000)
    await ask('mara')
    expect(peer.mails).toHaveLength(5)
  })

  test('ignores credentials: a wrong key is no error', async () => {
    const headers = { 'x-auth-accesskey': 'nonsense', cookie: '__Host-waypost=old' }
    expect((await api.post('/password_resets', { headers, body: { login: 'mara' } })).status).toBe(202)
  })

  test('is audited without the typed text', async () => {
    await ask('my secret password')

    expect(await audited(context, 'password.reset_request')).toMatchObject([
      { actor_id: null, before: null, after: null },
    ])
  })
})

describe('a link to set a password', () => {
  test('shows its expiry, and nothing about the account', async () => {
    const { status, json } = await api.get(`/password_resets/${await mailedSecret()}`)

    expect(status).toBe(200)
    expect(json).toEqual({ expires_on: '2026-03-01T10:30:00+00:00' })
  })

  test('sets the password once, ends all sessions and tokens, and does not sign in', async () => {
    const headers = await signInWithCookie(api, MARA)
    await sql`update account set password_expires_on = ${clock.now()} where id = ${MARA.id}`.execute(context.db)
    const secret = await mailedSecret()

    const answer = await api.put(`/password_resets/${secret}`, { body: { new_password: NEXT } })

    expect(answer).toMatchObject({ status: 200, text: '' })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await api.get('/session', { headers })).toMatchObject(refused(401, 'session_expired'))
    expect((await api.get('/users/self', { headers: basic(MARA, NEXT), reader: MARA })).status).toBe(200)
    expect(await api.put(`/password_resets/${secret}`, { body: { new_password: 'yet another horse' } })).toMatchObject(
      refused(404, 'not_found'),
    )
    expect(await audited(context, 'password.reset')).toMatchObject([
      { actor_id: MARA.id, credential_kind: null, object: `users/${MARA.id}` },
    ])
    await runJobs(context)
    expect(peer.mails.at(-1)?.subject).toBe('Your password for Waypost was changed')
  })

  test('gives one response if unknown, used, replaced, expired or of another kind', async () => {
    const replaced = await mailedSecret()
    const expired = await mailedSecret()
    clock.advance(HOUR)
    const paths = [replaced, expired, 'A'.repeat(43), 'short', '%00', 'ä'.repeat(43)].map(
      (secret) => `/password_resets/${encodeURI(secret)}`,
    )

    const answers = await Promise.all([
      ...paths.map((path) => api.get(path)),
      ...paths.map((path) => api.put(path, { body: { new_password: NEXT } })),
    ])

    for (const answer of answers) expect(answer).toMatchObject(refused(404, 'not_found'))
    expect(new Set(answers.map(masked)).size).toBe(1)
  })

  test('is used by one of two concurrent requests', async () => {
    const secret = await mailedSecret()

    const answers = await Promise.all(
      ['first of two horses', 'second of two horses'].map((new_password) =>
        api.put(`/password_resets/${secret}`, { body: { new_password } }),
      ),
    )

    expect(statusesOf(answers)).toEqual([200, 404])
  })

  test('stays valid when the new password is refused', async () => {
    const secret = await mailedSecret()

    expect(await api.put(`/password_resets/${secret}`, { body: { new_password: PASSWORD } })).toMatchObject(
      refused(400, 'rule_violated', { cause: 'password_unchanged' }),
    )
    expect((await api.put(`/password_resets/${secret}`, { body: { new_password: NEXT } })).status).toBe(200)
  })

  test('does not work for an account that was suspended meanwhile', async () => {
    const secret = await mailedSecret()
    await sql`update account set status = 'S' where id = ${MARA.id}`.execute(context.db)

    expect(await api.put(`/password_resets/${secret}`, { body: { new_password: NEXT } })).toMatchObject(
      refused(404, 'not_found'),
    )
  })

  test('works if the platform forbids anonymous access', async () => {
    await sql`update setting set version = version + 1, chosen = '{"anonymous_access": false}'`.execute(context.db)
    const secret = await mailedSecret()

    expect((await api.get(`/password_resets/${secret}`, { headers: SAME_ORIGIN_HEADERS })).status).toBe(200)
  })
})

async function ask(login: string): Promise<void> {
  await api.post('/password_resets', { body: { login } })
  await runJobs(context)
}

async function mailedSecret(): Promise<string> {
  await ask('mara')
  return /#([\w-]{43})/.exec(peer.mails.at(-1)?.text ?? '')?.[1] ?? ''
}
