import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { basic } from '../../../test/harness/client.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { startMailPeer } from '../../../test/peers/mail-peer.ts'
import { signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { MARA, PASSWORD, SAM, TOM } from '../../../test/fixtures/people.ts'
import { refused, statusesOf } from '../../../test/harness/refused.ts'
import { runJobs } from '../../../test/harness/run-jobs.ts'

const peer = await startMailPeer()
const world = await startWorld({ environment: { WAYPOST_SMTP_URL: peer.url } })
const { api, context } = world

const NEXT = 'a quite different horse'
const change = { current_password: PASSWORD, new_password: NEXT }

describe('PUT /users/self/password', () => {
  test('A18 ends other sessions and all tokens at once; keys remain, and the mail lists them', async () => {
    const headers = await signInWithCookie(api, MARA)
    const elsewhere = await signInWithCookie(api, MARA)
    const token = await api.post('/tokens', { body: { username: 'mara', password: PASSWORD } })
    const byToken = { 'x-auth-token': token.json.token, 'x-auth-userid': token.json.user_id }
    expect((await api.get('/users/self', { headers: byToken, reader: MARA })).status).toBe(200)
    const foreign = await signInWithCookie(api, TOM)

    const answer = await api.put('/users/self/password', { headers, body: change })

    expect(answer).toMatchObject({ status: 200, text: '' })
    expect((await api.get('/session', { headers, reader: MARA })).status).toBe(200)
    expect(await api.get('/session', { headers: elsewhere })).toMatchObject(refused(401, 'session_expired'))
    expect(await api.get('/users/self', { headers: byToken })).toMatchObject(refused(401, 'credentials_invalid'))
    expect((await api.get('/users/self', { as: MARA })).status).toBe(200)
    expect((await api.get('/session', { headers: foreign, reader: TOM })).status).toBe(200)
    expect((await api.get('/users/self', { headers: basic(MARA) })).status).toBe(401)
    expect((await api.get('/users/self', { headers: basic(MARA, NEXT), reader: MARA })).status).toBe(200)
    expect(await audited(context, 'password.change')).toMatchObject([
      { actor_id: MARA.id, object: `users/${MARA.id}`, before: null, after: null },
    ])
    await runJobs(context)
    expect(peer.mails).toMatchObject([{ to: [MARA.email] }])
    expect(peer.mails[0]?.text).toContain(`- ${MARA.key_id}`)
  })

  test('A18/processes ends them on every process', async () => {
    const other = await world.startAnother()
    const headers = await signInWithCookie(api, MARA)
    const elsewhere = await signInWithCookie(api, MARA)
    expect((await other.api.get('/session', { headers: elsewhere, reader: MARA })).status).toBe(200)

    expect((await api.put('/users/self/password', { headers, body: change })).status).toBe(200)

    expect(await other.api.get('/session', { headers: elsewhere })).toMatchObject(refused(401, 'session_expired'))
    expect((await other.api.get('/session', { headers, reader: MARA })).status).toBe(200)
  })

  test.each(['key', 'Basic'])('requires the current password also from callers who sign in by %s', async (way) => {
    const caller = way === 'key' ? { as: MARA } : { headers: basic(MARA) }

    expect(await api.put('/users/self/password', { ...caller, body: { new_password: NEXT } })).toMatchObject(
      refused(400, 'parameter_required'),
    )
    expect((await api.put('/users/self/password', { ...caller, body: change })).status).toBe(200)
  })

  test('refuses a wrong current password, and counts it as a failed sign-in', async () => {
    for (let count = 0; count < 10; count++)
      expect(
        await api.put('/users/self/password', { as: MARA, body: { ...change, current_password: 'guess' } }),
      ).toMatchObject(refused(403, 'permission_denied', { cause: 'password_wrong' }))

    const answer = await api.put('/users/self/password', { as: MARA, body: change })
    expect(answer).toMatchObject(refused(429, 'rate_limited'))
    expect(answer.headers['retry-after']).toBe('5')
    expect(await audited(context, 'password.change', 'refused')).toHaveLength(10)
  })

  test('refuses an account that has no password', async () => {
    await sql`update account set password_hash = null where id = ${MARA.id}`.execute(context.db)

    expect(await api.put('/users/self/password', { as: MARA, body: change })).toMatchObject(
      refused(403, 'permission_denied', { cause: 'no_password' }),
    )
  })

  test.each([
    ['short', 'password_too_short'],
    ['password1234', 'password_common'],
    [MARA.email, 'password_is_name'],
    [PASSWORD, 'password_unchanged'],
  ])('refuses %s as the new password: %s', async (new_password, cause) => {
    expect(await api.put('/users/self/password', { as: MARA, body: { ...change, new_password } })).toMatchObject(
      refused(400, 'rule_violated', { path: 'new_password', cause }),
    )
  })

  test('of two concurrent changes, one wins', async () => {
    const answers = await Promise.all(
      ['first of two horses', 'second of two horses'].map((new_password) =>
        api.put('/users/self/password', { as: MARA, body: { ...change, new_password } }),
      ),
    )

    expect(statusesOf(answers)).toEqual([200, 403])
  })

  test('changes nothing in a dry run', async () => {
    expect((await api.put('/users/self/password?dry_run=true', { as: MARA, body: change })).json).toEqual({
      dry_run: {
        status: 200,
        would_answer: null,
        changes: [{ object: `users/${MARA.id}`, op: 'update', fields: [] }],
        rules: [],
        notified: [{ user: { id: MARA.id, username: 'mara' }, channel: 'mail', why: 'password_changed' }],
      },
    })
    expect((await api.get('/users/self', { headers: basic(MARA), reader: MARA })).status).toBe(200)
  })
})

describe('PUT /users/self/password without credentials', () => {
  test('allows an expired password to be changed', async () => {
    await sql`update account set password_expires_on = ${TEST_NOW} where id = ${MARA.id}`.execute(context.db)
    await sql`update setting set version = version + 1, chosen = '{"anonymous_access": false}'`.execute(context.db)

    expect((await api.put('/users/self/password', { body: { ...change, username: 'mara' } })).status).toBe(200)

    expect((await api.get('/users/self', { headers: basic(MARA, NEXT), reader: MARA })).status).toBe(200)
    expect(await audited(context, 'password.change')).toMatchObject([{ actor_id: MARA.id }])
  })

  test.each([
    { what: 'a wrong password', body: { ...change, username: 'mara', current_password: 'guess' } },
    { what: 'an unknown login', body: { ...change, username: 'nobody-here' } },
    { what: 'a suspended account', body: { ...change, username: SAM.login } },
  ])('refuses $what like a failed sign-in', async ({ body }) => {
    expect(await api.put('/users/self/password', { body })).toMatchObject(refused(401, 'credentials_invalid'))
  })

  test('requires a login, and refuses one together with credentials', async () => {
    expect(await api.put('/users/self/password', { body: change })).toMatchObject(
      refused(401, 'authentication_required'),
    )
    expect(await api.put('/users/self/password', { as: TOM, body: { ...change, username: 'mara' } })).toMatchObject(
      refused(400, 'parameter_conflict', { path: 'username' }),
    )
  })
})
