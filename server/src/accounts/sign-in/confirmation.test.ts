import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { basic } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { ADA, MARA, PASSWORD, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { refused } from '../../../test/harness/refused.ts'

const { api, context, clock } = await startWorld()

const MINUTE = 60_000
const NEEDED = refused(401, 'confirmation_required')
const NEW_ADDRESS = { email: 'thief@waypost.example' }

describe('a sensitive change', () => {
  test('K01 by a key without write:account does not change the address', async () => {
    const headers = await keyOf(TOM, ['write:rest'])

    const answer = await api.patch('/users/self', { headers, body: { values: NEW_ADDRESS } })

    expect(answer).toMatchObject(NEEDED)
    const { json } = await api.get('/users/self', { as: TOM })
    expect(json).toMatchObject({ email: TOM.email, pending_email: null })
    expect(await jobs()).toBe(0)
    expect(await audited(context, 'user.update', 'refused')).toMatchObject([
      { actor_id: TOM.id, credential_kind: 'access_key', reason: 'confirmation_required' },
    ])
  })

  test('K02 by a key without write:account makes and deletes no key, except that it may revoke itself', async () => {
    const headers = await keyOf(TOM, ['write:rest'])
    const { json: own } = await api.get('/access_keys/self', { headers })

    expect(await api.post('/access_keys', { headers, body: {} })).toMatchObject(NEEDED)
    expect(await api.post('/access_keys', { headers })).toMatchObject(NEEDED)
    expect(await api.delete(`/access_keys/${TOM.key_id}`, { headers })).toMatchObject(NEEDED)
    expect(await api.get('/users/self/access_keys', { as: TOM })).toMatchObject({ json: { length: 2 } })
    expect((await api.delete(`/access_keys/${own.id}`, { headers })).status).toBe(200)
  })

  test('K03 by a token, or with the right password in the body of a request by a key, is refused', async () => {
    const { json } = await api.post('/tokens', { body: { username: TOM.login, password: PASSWORD } })
    const token = { 'x-auth-token': json.token, 'x-auth-userid': json.user_id }
    const passwords = { current_password: PASSWORD, new_password: 'another horse battery staple' }

    expect(await api.post('/access_keys', { headers: token, body: {} })).toMatchObject(NEEDED)
    expect(await api.patch('/users/self', { headers: token, body: NEW_ADDRESS })).toMatchObject(NEEDED)
    for (const headers of [token, await keyOf(TOM, ['write:rest'])])
      expect(await api.put('/users/self/password', { headers, body: passwords })).toMatchObject(NEEDED)
    expect((await api.get('/users/self', { headers: basic(TOM), reader: TOM })).status).toBe(200)
  })

  test('K04 of a session needs the password of the last 15 minutes', async () => {
    const headers = await signInWithCookie(api, TOM)
    clock.advance(15 * MINUTE)
    expect((await api.post('/access_keys', { headers, body: {} })).status).toBe(201)
    clock.advance(1000)
    expect(await api.post('/access_keys', { headers, body: {} })).toMatchObject(NEEDED)
    expect(await api.post('/access_keys?dry_run=true', { headers, body: {} })).toMatchObject(NEEDED)
    expect(await api.patch('/users/self', { headers, body: NEW_ADDRESS })).toMatchObject(NEEDED)

    const confirmed = await api.post('/session/confirmation', { headers, body: { password: PASSWORD } })

    expect(confirmed).toMatchObject({
      status: 200,
      json: { confirmed_on: '2026-03-01T09:45:01+00:00', confirmed_until: '2026-03-01T10:00:01+00:00' },
    })
    expect((await api.post('/access_keys', { headers, body: {} })).status).toBe(201)
    const other = await signInWithCookie(api, TOM)
    clock.advance(16 * MINUTE)
    await api.post('/session/confirmation', { headers: other, body: { password: PASSWORD } })
    expect(await api.post('/access_keys', { headers, body: {} })).toMatchObject(NEEDED)
  })

  test('K04 of a session that never gave the password is refused', async () => {
    const headers = await signInWithCookie(api, TOM)
    await sql`update session set confirmed_on = null`.execute(context.db)
    expect(await api.post('/access_keys', { headers, body: {} })).toMatchObject(NEEDED)
  })

  test('is made by HTTP Basic, or by a key with write:account', async () => {
    for (const headers of [basic(TOM), await keyOf(TOM, ['write:rest', 'write:account'])]) {
      expect((await api.post('/access_keys', { headers, body: {} })).status).toBe(201)
      expect((await api.patch('/users/self', { headers, body: NEW_ADDRESS })).status).toBe(200)
    }
    const alone = await keyOf(TOM, ['write:account'])
    expect(await api.post('/access_keys', { headers: alone, body: {} })).toMatchObject(
      refused(403, 'credentials_scope'),
    )
  })

  test('is none of the own name, time zone and language', async () => {
    const headers = await keyOf(TOM, ['write:rest'])
    const body = { real_name: 'Tom T. Tiller', time_zone: 'Europe/Berlin', language: 'en', text_format: 'commonmark' }

    expect((await api.patch('/users/self', { headers, body })).status).toBe(200)
    expect((await api.patch(`/users/${TOM.id}`, { headers, body })).status).toBe(200)
    const administrator = await keyOf(ADA, ['write:rest'])
    expect(await api.patch(`/users/${TOM.id}`, { headers: administrator, body })).toMatchObject(NEEDED)
  })

  test('does not tell strangers more than before', async () => {
    expect(await api.post('/access_keys', { body: {} })).toMatchObject(refused(401, 'authentication_required'))
    expect(await api.patch('/settings', { as: TOM, body: {} })).toMatchObject(refused(403, 'permission_denied'))
  })
})

describe('POST /session/confirmation', () => {
  test('K05 with a wrong password counts as a failed sign-in', async () => {
    const headers = await signInWithCookie(api, TOM)
    clock.advance(16 * MINUTE)
    const wrong = () => api.post('/session/confirmation', { headers, body: { password: 'wrong' } })

    expect(await wrong()).toMatchObject(
      refused(403, 'permission_denied', { path: 'password', cause: 'password_wrong' }),
    )
    const { rows } = await sql`select 1 from sign_in_failure`.execute(context.db)
    expect(rows).toHaveLength(1)
    expect(await audited(context, 'sign_in', 'refused')).toMatchObject([{ reason: 'credentials_invalid' }])
    expect(await api.post('/access_keys', { headers, body: {} })).toMatchObject(NEEDED)
    expect((await api.get('/session', { headers, reader: TOM })).status).toBe(200)
  })

  test('with the right one is audited, and is for sessions only', async () => {
    const headers = await signInWithCookie(api, MARA)
    const body = { password: PASSWORD }

    expect((await api.post('/session/confirmation', { headers, body })).status).toBe(200)
    expect(await audited(context, 'session.confirm')).toMatchObject([
      { actor_id: MARA.id, credential_kind: 'session', object: `users/${MARA.id}` },
    ])
    expect(await api.post('/session/confirmation', { as: MARA, body })).toMatchObject(refused(404, 'not_found'))
    expect(await api.post('/session/confirmation', { headers: basic(MARA), body })).toMatchObject(
      refused(404, 'not_found'),
    )
    expect(await api.post('/session/confirmation', { body })).toMatchObject(refused(401, 'authentication_required'))
  })
})

async function keyOf(person: TestPerson, scopes: readonly string[]) {
  const { json } = await api.post('/access_keys', { headers: basic(person), body: { scopes } })
  await sql`delete from job`.execute(context.db)
  return { 'x-auth-accesskey': String(json.identifier) }
}

async function jobs(): Promise<number> {
  const { rows } = await sql`select 1 from job`.execute(context.db)
  return rows.length
}
