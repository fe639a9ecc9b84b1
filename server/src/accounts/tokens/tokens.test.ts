import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { basic } from '../../../test/harness/client.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { MARA, OLGA, PASSWORD, PIA, SAM, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { hashPassword } from '../passwords/password.ts'

const { api, context, clock } = await startWorld()

const AT = `/projects/${ORCHARD}`
const body = { username: 'tom', password: PASSWORD }
const signIn = async ({ login } = TOM) => {
  const { json } = await api.post('/tokens', { body: { ...body, username: login } })
  const { token, user_id } = json
  return { token, headers: { 'x-auth-token': token, 'x-auth-userid': user_id } }
}
const DEPRECATION = { deprecation: '@1767225600', link: expect.stringContaining('rel="deprecation"') }

describe('POST /tokens', () => {
  test('responds 200 with the id as a string', async () => {
    const { status, json, headers } = await api.post('/tokens', { body })

    expect(status).toBe(200)
    expect(json).toEqual({
      user_id: String(TOM.id),
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      uri: `tokens/${json.token}`,
    })
    expect(headers['set-cookie']).toBeUndefined()
    expect(
      (await api.get(AT, { headers: { 'x-auth-token': json.token, 'x-auth-userid': json.user_id } })).json,
    ).toMatchObject({
      is_member_of: true,
    })
  })

  test.each([
    ['a form', 'application/x-www-form-urlencoded', new URLSearchParams(body).toString()],
    ['JSON that is called a form', 'application/x-www-form-urlencoded', JSON.stringify(body)],
    ['JSON that is called text', 'text/plain', JSON.stringify(body)],
    ['XML', 'application/xml', `<request><username>tom</username><password>${PASSWORD}</password></request>`],
  ])('reads %s', async (_, type, text) => {
    const answer = await api.post('/tokens/', { headers: { 'content-type': type }, body: text })

    expect([answer.status, answer.json.user_id]).toEqual([200, String(TOM.id)])
  })

  test.each(['', 'nonsense', ';', 'text/', 'a/b/c'])('accepts JSON with the content type %j', async (type) => {
    const headers = { 'content-type': type }

    expect((await api.post('/tokens', { headers, body: JSON.stringify(body) })).status).toBe(200)
  })

  test('refuses other content', async () => {
    for (const type of ['text/plain', 'nonsense'])
      expect((await api.post('/tokens', { headers: { 'content-type': type }, body: 'tom' })).status).toBe(415)
  })

  test('accepts and returns XML', async () => {
    const { text } = await api.post('/tokens.xml', { body })

    expect(text).toMatch(
      /<response><user_id>1003<\/user_id><token>[0-9a-f]{32}<\/token><uri>tokens\/[0-9a-f]{32}<\/uri>/,
    )
  })

  test('ignores credentials, so that an expired token may still be sent', async () => {
    const headers = { 'x-auth-token': 'f'.repeat(32), 'x-auth-userid': '1', authorization: 'Nonsense', cookie: 'x=y' }

    expect((await api.post('/tokens', { body, headers })).status).toBe(200)
    expect((await api.post('/tokens', { body, headers: { 'x-auth-accesskey': 'wrong' } })).status).toBe(200)
  })

  test('accepts the login in any case, and only the login', async () => {
    expect((await api.post('/tokens', { body: { ...body, username: 'TOM' } })).status).toBe(200)
    expect((await api.post('/tokens', { body: { ...body, username: TOM.email } })).status).toBe(401)
  })

  test.each([
    [{ username: 'tom' }, 400, 'parameter_required'],
    [{ password: PASSWORD }, 400, 'parameter_required'],
    [{}, 400, 'parameter_required'],
    [undefined, 400, 'body_required'],
    [{ username: ['tom'], password: PASSWORD }, 400, 'parameter_invalid'],
    [{ username: 'tom', password: 5 }, 400, 'parameter_invalid'],
    [{ username: 'tom', password: 'wrong' }, 401, 'credentials_invalid'],
    [{ username: 'nobody-here', password: PASSWORD }, 401, 'credentials_invalid'],
    [{ username: 'tom', password: '' }, 401, 'credentials_invalid'],
    [{ username: SAM.login, password: PASSWORD }, 403, 'account_suspended'],
    [{ username: SAM.login, password: 'wrong' }, 401, 'credentials_invalid'],
    [{ username: PIA.login, password: PASSWORD }, 403, 'account_pending'],
  ])('refuses %j with %i %s', async (given, status, reason) => {
    const answer = await api.post('/tokens', given && { body: given })

    expect([answer.status, answer.json.error.reason]).toEqual([status, reason])
    expect(answer.headers['www-authenticate'] !== undefined).toBe(status === 401)
    expect((await sql`select 1 from token`.execute(context.db)).rows).toEqual([])
    const reasons = (await audited(context, 'sign_in', 'refused')).map((entry) => entry.reason)
    expect(reasons).toEqual(status >= 401 ? [reason] : [])
  })

  test('A24 compares a long password in full, and refuses an oversized one before hashing', async () => {
    const password = `${'p'.repeat(60)}assphrase that goes on and on`
    await sql`update account set password_hash = ${await hashPassword(password)} where id = ${TOM.id}`.execute(
      context.db,
    )
    const sign = (given: string) => api.post('/tokens', { body: { username: 'tom', password: given } })

    expect((await sign(password.slice(0, 72))).status).toBe(401)
    expect((await sign(password.slice(0, 73))).status).toBe(401)
    expect((await sign(password)).status).toBe(200)
    const start = performance.now()
    const huge = await sign('x'.repeat(60_000))
    expect([huge.status, huge.json.error.reason]).toEqual([400, 'parameter_out_of_range'])
    expect(performance.now() - start).toBeLessThan(5000)
  })

  test('an expired password must be changed first', async () => {
    await sql`update account set password_expires_on = ${TEST_NOW} where id = ${TOM.id}`.execute(context.db)

    expect((await api.post('/tokens', { body })).json.error.reason).toBe('password_expired')
  })

  test('stores only a hash, and writes an audit entry with the account', async () => {
    const { token } = await signIn()

    const { rows } = await sql<{ digest: string }>`select encode(digest, 'hex') as digest from token`.execute(
      context.db,
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
    const { rows: log } =
      await sql`select actor_id, credential_kind, object, before, after from audit where action = 'token.create'`.execute(
        context.db,
      )
    expect(log).toEqual([
      { actor_id: TOM.id, credential_kind: 'token', object: `users/${TOM.id}`, before: null, after: null },
    ])
  })

  test('a dry run creates no token', async () => {
    const { json } = await api.post('/tokens?dry_run=true', { body })

    expect(json.dry_run).toMatchObject({
      status: 200,
      would_answer: { user_id: String(TOM.id), token: null, uri: null },
    })
    expect((await sql`select 1 from token`.execute(context.db)).rows).toEqual([])
  })
})

describe('a token', () => {
  test('A26 is bound to its user, and expires after exactly 24 hours', async () => {
    const { token, headers } = await signIn()
    const refusal = async (given: Record<string, string>) => {
      const { status, json } = await api.get(AT, { headers: given })
      return [status, json.error.reason]
    }

    expect(await refusal({ 'x-auth-token': token, 'x-auth-userid': String(MARA.id) })).toEqual([
      401,
      'credentials_invalid',
    ])
    expect(await refusal({ 'x-auth-token': token })).toEqual([401, 'credentials_incomplete'])
    expect(await refusal({ 'x-auth-userid': String(TOM.id) })).toEqual([401, 'credentials_incomplete'])
    for (const seconds of [86_399, 86_400]) {
      clock.set(new Date(TEST_NOW.getTime() + seconds * 1000))
      expect((await api.get(AT, { headers })).status).toBe(200)
    }
    clock.set(new Date(TEST_NOW.getTime() + 86_401_000))
    expect(await refusal(headers)).toEqual([401, 'credentials_expired'])
    clock.set(TEST_NOW)
    expect(await refusal(headers)).toEqual([401, 'credentials_expired'])
  })

  test('can be one of several', async () => {
    const [first, second] = [await signIn(), await signIn()]

    for (const { headers } of [first, second]) expect((await api.get(AT, { headers })).status).toBe(200)
  })

  test.each([
    ['g'.repeat(32), String(TOM.id), 'credentials_malformed'],
    ['', String(TOM.id), 'credentials_malformed'],
    ['a'.repeat(32), 'tom', 'credentials_malformed'],
    ['a'.repeat(32), '', 'credentials_malformed'],
    ['a'.repeat(32), String(TOM.id), 'credentials_invalid'],
    ['a'.repeat(32), '9999999999999999', 'credentials_invalid'],
  ])('%s of %s is refused with %s', async (token, user, reason) => {
    const { status, json } = await api.get(AT, { headers: { 'x-auth-token': token, 'x-auth-userid': user } })

    expect([status, json.error.reason]).toEqual([401, reason])
  })
})

describe('DELETE /tokens', () => {
  test('ends one token, with any credential', async () => {
    const [first, second] = [await signIn(), await signIn()]
    const answer = await api.delete(`/tokens/${first.token}`, { headers: second.headers })

    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await api.get(AT, { headers: first.headers })).json.error.reason).toBe('credentials_invalid')
    expect((await api.delete(`/tokens/${second.token.toUpperCase()}`, { headers: basic(TOM) })).status).toBe(200)
    expect((await api.get(AT, { headers: second.headers })).status).toBe(401)
  })

  test('gives one response for unknown tokens and those of others', async () => {
    const { token } = await signIn(MARA)

    for (const given of [token, 'a'.repeat(32), 'nonsense', '%00', 'x'.repeat(400)]) {
      const { status, json } = await api.delete(`/tokens/${given}`, { as: TOM })
      expect([status, json.error.reason]).toEqual([400, 'token_unknown'])
    }
    expect((await api.delete(`/tokens/${token}`, { as: MARA })).status).toBe(200)
  })

  test('ends all own tokens, with a trailing slash and an empty JSON body', async () => {
    const [own, others] = [await signIn(), await signIn(MARA)]
    await signIn()
    const headers = { ...own.headers, 'content-type': 'application/json', 'content-length': '0' }
    const answer = await api.delete('/tokens/', { headers })

    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await api.get(AT, { headers: own.headers })).status).toBe(401)
    expect((await api.get(AT, { headers: others.headers })).status).toBe(200)
    expect((await api.delete('/tokens', { as: TOM })).status).toBe(200)
  })

  test('requires credentials', async () => {
    expect((await api.delete('/tokens')).status).toBe(401)
    expect((await api.delete(`/tokens/${'a'.repeat(32)}`)).status).toBe(401)
  })

  test('does not allow GET', async () => {
    const { status, headers } = await api.get('/tokens', { as: TOM })

    expect([status, headers.allow]).toEqual([405, 'OPTIONS, POST, DELETE'])
  })
})

describe('deprecation headers', () => {
  test('are on every response of the token routes, including errors', async () => {
    const { token } = await signIn()

    expect((await api.post('/tokens', { body })).headers).toMatchObject(DEPRECATION)
    expect((await api.post('/tokens', { body: {} })).headers).toMatchObject(DEPRECATION)
    expect((await api.post('/tokens', { body: { ...body, password: 'x' } })).headers).toMatchObject(DEPRECATION)
    expect((await api.delete('/api/v1/tokens', { as: TOM })).headers).toMatchObject({
      ...DEPRECATION,
      link: '</api/v1/explorer/>; rel="deprecation"; type="text/html"',
    })
    expect((await api.delete(`/tokens/${token}`)).headers).toMatchObject(DEPRECATION)
    expect((await api.post('/tokens', { body })).headers.sunset).toBeUndefined()
  })

  test('are on every response to a token pair, beside pagination links', async () => {
    const { headers } = await signIn()
    const list = await api.get('/users?query=mara', { headers, reader: TOM })

    expect(list.headers).toMatchObject(DEPRECATION)
    expect(list.headers.link).toContain('rel="first"')
    expect((await api.get('/nowhere', { headers })).headers).toMatchObject(DEPRECATION)
    expect((await api.get(AT, { headers: { ...headers, 'x-auth-userid': '1' } })).headers).toMatchObject(DEPRECATION)
  })

  test('are on no other response', async () => {
    const { headers } = await signIn()

    for (const options of [{}, { as: OLGA }, { as: OLGA, headers }, { headers: basic(TOM) }])
      expect((await api.get(AT, options)).headers.deprecation).toBeUndefined()
    expect((await api.get('/users?query=mara', { as: OLGA })).headers.link).not.toContain('deprecation')
  })
})
