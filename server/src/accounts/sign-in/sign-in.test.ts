import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { basic, type RequestOptions } from '../../../test/harness/client.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { signInWithCookie } from '../../../test/harness/browser-requests.ts'
import { ADA, MARA, OLGA, PASSWORD, PIA, RITA, SAM, TOM } from '../../../test/fixtures/people.ts'
import { NURSERY, ORCHARD, VAULT } from '../../../test/fixtures/seed-ids.ts'

const { api, context, clock } = await startWorld()

const AT = `/projects/${ORCHARD}`
const CHALLENGE =
  'AccessKey realm="Waypost API", Token realm="Waypost API", Bearer realm="Waypost API", Basic realm="Waypost API"'
const key = (text: string) => ({ 'x-auth-accesskey': text })
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
const authorization = (text: string) => ({ authorization: text })
const encoded = (text: string | Buffer) => authorization(`Basic ${Buffer.from(text).toString('base64')}`)
const outcome = async (headers: RequestOptions['headers'], path = AT) => {
  const { status, text, headers: answered } = await api.get(path, { headers: headers ?? {} })
  const { error } = JSON.parse(text)
  if (status === 401) expect(answered['www-authenticate']).toBe(CHALLENGE)
  return error ? `${status} ${error.reason}` : `${status} ${JSON.parse(text).is_member_of}`
}
const wrongSecret = TOM.key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))

describe('authentication', () => {
  test.each([
    ['a key', key(TOM.key)],
    ['a key in upper case', key(TOM.key.toUpperCase())],
    ['a key as Bearer', bearer(TOM.key)],
    ['a key as Bearer, in any case', authorization(`bearer  ${TOM.key}`)],
    ['Basic', basic(TOM)],
    ['Basic, with a login in another case', basic({ login: 'Tom' })],
    ['Basic, in any case', authorization(String(basic(TOM)['authorization']).replace('Basic', 'BASIC'))],
  ])('accepts %s', async (_, headers) => {
    expect(await outcome(headers)).toBe('200 true')
  })

  test('is anonymous without credentials, if that is allowed', async () => {
    expect(await outcome({})).toBe('200 false')
    expect(await outcome({}, `/projects/${VAULT}`)).toBe('401 authentication_required')
    expect(await outcome({}, '/users/self')).toBe('401 authentication_required')
    await sql`update setting set version = version + 1, chosen = '{"anonymous_access": false}'`.execute(context.db)
    expect(await outcome({})).toBe('401 authentication_required')
    expect(await outcome({}, '/projects/2999')).toBe('401 authentication_required')
    expect(await outcome({}, '/projects/abc')).toBe('401 authentication_required')
    expect(await outcome(key(TOM.key))).toBe('200 true')
  })

  test('settings that another process has changed apply to the next request of every client', async () => {
    const page = await signInWithCookie(api, TOM)
    const ways = { key: key(TOM.key), session: page, basic: basic(TOM), anonymous: {} }
    for (const [way, headers] of Object.entries(ways)) {
      const chosen = JSON.stringify({ session_idle_minutes: 30 + way.length })
      await sql`update setting set version = version + 1, chosen = ${chosen}::jsonb`.execute(context.db)
      expect((await api.get(AT, { headers, reader: TOM })).status).toBe(200)
      expect(context.settings.current.session_idle_minutes).toBe(30 + way.length)
    }
  })

  test.each([
    ['an empty key', key(''), 'credentials_malformed'],
    ['a key without its end', key(TOM.key.slice(0, -1)), 'credentials_malformed'],
    ['a key with too much', key(`${TOM.key}00`), 'credentials_malformed'],
    ['a key that is none', key('hello'), 'credentials_malformed'],
    ['a key of the second kind', key(TOM.key.replace('k1', 'k2')), 'credentials_malformed'],
    ['two keys', { 'x-auth-accesskey': [TOM.key, MARA.key] }, 'credentials_malformed'],
    ['a wrong secret', key(wrongSecret), 'credentials_invalid'],
    ['an unknown key', key(TOM.key.replace(String(TOM.key_id), '4999')), 'credentials_invalid'],
    ['another prefix', key(TOM.key.replace('tlp', 'abc')), 'credentials_invalid'],
    ['an empty Bearer', authorization('Bearer'), 'credentials_malformed'],
    ['a Bearer of another kind', bearer('tlp-oauth2-at1-5.00'), 'credentials_malformed'],
    ['a wrong Bearer', bearer(wrongSecret), 'credentials_invalid'],
    ['an unknown scheme', authorization('Digest username="tom"'), 'credentials_malformed'],
    ['an empty Authorization', authorization(''), 'credentials_malformed'],
    ['a wrong password', basic(TOM, 'wrong'), 'credentials_invalid'],
    ['an empty password', basic(TOM, ''), 'credentials_invalid'],
    ['an unknown login', basic({ login: 'nobody-here' }), 'credentials_invalid'],
    ['a key as password', basic(TOM, TOM.key), 'credentials_invalid'],
    ['an unknown key as password', basic(TOM, TOM.key.replace(String(TOM.key_id), '4999')), 'credentials_invalid'],
    ['a login of one letter', basic({ login: 't' }), 'credentials_invalid'],
    ['a password of 1,024 characters', basic(TOM, 'x'.repeat(1024)), 'credentials_invalid'],
    ['a password of 1,025 characters', basic(TOM, 'x'.repeat(1025)), 'credentials_malformed'],
    [
      'the right password with signs that base64 has not',
      authorization(`${basic(TOM)['authorization']}!`),
      'credentials_malformed',
    ],
    ['the address instead of the login', basic({ login: TOM.email }), 'credentials_invalid'],
    ['Basic of a suspended account', basic(SAM), 'credentials_invalid'],
    ['Basic of a pending account', basic(PIA), 'credentials_invalid'],
  ])('A25 %s is 401 also for public objects, never the anonymous response', async (_, headers, reason) => {
    expect(await outcome(headers)).toBe(`401 ${reason}`)
    expect(await outcome(headers, '/projects/2999')).toBe(`401 ${reason}`)
  })

  test.each([
    ['no colon', encoded('tom')],
    ['no login', encoded(':password')],
    ['bad base64', authorization('Basic ###')],
    ['no UTF-8', encoded(Buffer.from([0x74, 0x3a, 0xff, 0xfe]))],
    ['nothing', authorization('Basic')],
    ['nothing but a space', authorization('Basic ')],
    ['a NUL', encoded('tom\0:x')],
    ['a password without end', basic(TOM, 'x'.repeat(1025))],
  ])('A10 Basic with %s is malformed', async (_, headers) => {
    expect(await outcome(headers)).toBe('401 credentials_malformed')
  })

  test('A10 Basic of 8 KB is too large', async () => {
    expect((await api.get(AT, { headers: basic(TOM, 'x'.repeat(8192)) })).status).toBe(431)
  })

  test.each([
    [SAM, '403 account_suspended'],
    [PIA, '403 account_pending'],
  ])('refuses a correct key of $login with 403, as header and as Bearer', async (person, expected) => {
    expect(await outcome(key(person.key))).toBe(expected)
    expect(await outcome(bearer(person.key))).toBe(expected)
    expect(await outcome(key(person.key.replace(/.{4}$/, '0000')))).toBe('401 credentials_invalid')
  })

  test('refuses a correct key of a deleted account with 403', async () => {
    await sql`update account set status = 'D' where id = ${TOM.id}`.execute(context.db)

    expect(await outcome(key(TOM.key))).toBe('403 account_deleted')
    expect(await outcome(basic(TOM))).toBe('401 credentials_invalid')
  })

  test.each(['V', 'W'])('refuses a correct key of an account that is only validated (%s) with 403', async (status) => {
    await sql`update account set status = ${status} where id = ${TOM.id}`.execute(context.db)

    expect(await outcome(key(TOM.key))).toBe('403 account_pending')
  })

  test('reports an expired password as 403 to callers with a valid secret', async () => {
    await sql`update account set password_expires_on = ${TEST_NOW} where id = ${TOM.id}`.execute(context.db)

    for (const headers of [key(TOM.key), bearer(TOM.key), basic(TOM)])
      expect(await outcome(headers)).toBe('403 password_expired')
    expect(await outcome(basic(TOM, 'wrong'))).toBe('401 credentials_invalid')
    clock.advance(-1000)
    expect(await outcome(basic(TOM))).toBe('200 true')
  })

  test('refuses a password for an account without one', async () => {
    await sql`update account set password_hash = null where id = ${TOM.id}`.execute(context.db)

    for (const password of [PASSWORD, '', 'null', 'the password of nobody'])
      expect(await outcome(basic(TOM, password))).toBe('401 credentials_invalid')
    expect(await outcome(key(TOM.key))).toBe('200 true')
  })

  test('A03 reports expiry only to callers who know the secret', async () => {
    await sql`update access_key set expires_on = ${TEST_NOW} where id = ${TOM.key_id}`.execute(context.db)

    expect(await outcome(key(TOM.key))).toBe('401 credentials_expired')
    expect(await outcome(key(wrongSecret))).toBe('401 credentials_invalid')
    await sql`update access_key set expires_on = null, is_over = false, scopes = '{write:svn}' where id = ${TOM.key_id}`.execute(
      context.db,
    )
    expect(await outcome(key(TOM.key))).toBe('403 credentials_scope')
    expect(await outcome(key(wrongSecret))).toBe('401 credentials_invalid')
  })

  test('A02 gives one response for a wrong first byte, a wrong last byte and an unknown key', async () => {
    const [start = '', secret = ''] = TOM.key.split('.')
    const flip = (at: number) => `${start}.${secret.slice(0, at)}f0${secret.slice(at + 2)}`
    const keys = [flip(0), flip(62), TOM.key.replace(String(TOM.key_id), '4999')]
    const answers = await Promise.all(keys.map((each) => api.get('/users/self', { headers: key(each) })))
    const bodies = answers.map(({ status, text }) => [status, text.replace(/"request_id":"[^"]*"/, '')])

    expect(bodies[0]?.[0]).toBe(401)
    expect(bodies[1]).toEqual(bodies[0])
    expect(bodies[2]).toEqual(bodies[0])
  })
})

describe('several credentials at once', () => {
  const pairOf = async (login: string) => {
    const { json } = await api.post('/tokens', { body: { username: login, password: PASSWORD } })
    return { 'x-auth-token': json.token, 'x-auth-userid': json.user_id }
  }
  // Tom is a member of Orchard, Mara also administers Nursery, Olga is a member of no project.
  const IN_NURSERY = `/projects/${NURSERY}`

  test('the access key takes precedence over Bearer, Bearer over the token, the token over Basic', async () => {
    const pair = await pairOf('mara')

    expect(await outcome({ ...key(MARA.key), ...bearer(OLGA.key) }, IN_NURSERY)).toBe('200 true')
    expect(await outcome({ ...key(OLGA.key), ...bearer(MARA.key), ...pair }, IN_NURSERY)).toBe('200 false')
    expect(await outcome({ ...bearer(OLGA.key), ...pair }, IN_NURSERY)).toBe('200 false')
    expect(await outcome({ ...pair, ...basic(OLGA) }, IN_NURSERY)).toBe('200 true')
    expect(await outcome({ ...key(OLGA.key), ...basic(MARA) }, IN_NURSERY)).toBe('200 false')
  })

  test('only the first one counts: if it is wrong, valid others do not help', async () => {
    const pair = await pairOf('mara')

    expect(await outcome({ ...key(wrongSecret), ...bearer(TOM.key) })).toBe('401 credentials_invalid')
    expect(await outcome({ ...bearer(wrongSecret), ...pair })).toBe('401 credentials_invalid')
    expect(await outcome({ ...pair, 'x-auth-userid': '1', ...basic(TOM) })).toBe('401 credentials_invalid')
    expect(await outcome({ ...key(TOM.key), ...authorization('Nonsense'), 'x-auth-token': 'x' })).toBe('200 true')
  })

  test('a cookie is ignored beside a header', async () => {
    const cookie = '__Host-waypost=nonsense'

    expect(await outcome({ ...key(TOM.key), cookie })).toBe('200 true')
    expect(await outcome({ ...basic(TOM), cookie })).toBe('200 true')
    expect(await outcome({ ...key(wrongSecret), cookie })).toBe('401 credentials_invalid')
  })

  test('A12 secrets in the URL are refused, and not used', async () => {
    for (const name of ['access_key', 'token', 'X-Auth-AccessKey', 'x-auth-accesskey'])
      expect(await outcome({}, `${AT}?${name}=${TOM.key}`)).toBe('400 parameter_unknown')
    expect(await outcome({}, `/users/self?X-Auth-AccessKey=${TOM.key}`)).toBe('400 parameter_unknown')
  })
})

describe('the response to bad credentials', () => {
  test('omits Basic from the challenge for scripts in a page', async () => {
    const { headers } = await api.get('/users/self', { headers: { 'sec-fetch-mode': 'cors' } })

    expect(headers['www-authenticate']).toBe(CHALLENGE.replace(', Basic realm="Waypost API"', ''))
  })

  test('has the common error format, also in XML', async () => {
    const { status, text } = await api.get(`${AT}.xml`, { headers: key('wrong') })

    expect(status).toBe(401)
    expect(text).toContain('<response><error><code>401</code>')
    expect(text).toContain('<reason>credentials_malformed</reason>')
  })

  test('OPTIONS ignores credentials', async () => {
    for (const headers of [key('wrong'), basic(TOM, 'wrong'), authorization('Nonsense'), { 'x-auth-token': 'x' }])
      expect((await api.request('OPTIONS', AT, { headers })).status).toBe(200)
  })

  test('precedes validation of the body and the object', async () => {
    const answer = await api.patch('/users/abc', { headers: key('wrong'), body: '{"broken' })

    expect(answer.json.error.reason).toBe('credentials_malformed')
  })
})

describe('guessing passwords', () => {
  const guess = async (login: string, headers = {}) => {
    const { status, headers: answered } = await api.get(AT, { headers: { ...basic({ login }, 'wrong'), ...headers } })
    return status === 429 ? ['429', Number(answered['retry-after'])] : String(status)
  }

  test('A13 is throttled after ten failures across all ways to sign in, whether or not the login exists', async () => {
    for (const login of ['tom', 'nobody-here']) {
      for (let count = 0; count < 5; count++) {
        expect(await guess(login)).toBe('401')
        const { status } = await api.post('/tokens', { body: { username: login.toUpperCase(), password: 'wrong' } })
        expect(status).toBe(401)
      }
      expect(await guess(login)).toEqual(['429', 5])
      const { status, json } = await api.post('/tokens', { body: { username: login, password: PASSWORD } })
      expect([status, json.error.reason]).toEqual([429, 'rate_limited'])
    }
    expect(await outcome(key(TOM.key))).toBe('200 true')
    expect(await outcome(basic(MARA))).toBe('200 true')
    clock.advance(5000)
    expect(await outcome(basic(TOM))).toBe('200 true')
  })

  test('A13 correct passwords are not counted', async () => {
    for (let count = 0; count < 12; count++) expect(await outcome(basic(TOM))).toBe('200 true')
  })

  test('A13 parallel attempts do not outrun the count', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess('tom')))

    expect(answers.filter((answer) => answer === '401')).toHaveLength(10)
  })

  test('A14 a changing X-Forwarded-For has no effect', async () => {
    for (let count = 0; count < 10; count++)
      expect(await guess('tom', { 'x-forwarded-for': `198.51.100.${count}` })).toBe('401')

    expect(await guess('tom', { 'x-forwarded-for': '198.51.100.99' })).toEqual(['429', 5])
    const { rows } = await sql`select distinct address from sign_in_failure`.execute(context.db)
    expect(rows).toEqual([{ address: '127.0.0.1' }])
  })

  test('A13 refused attempts are logged, without the typed text', async () => {
    await guess('my secret password typed as a login')

    const { rows } =
      await sql`select actor_id, action, outcome, reason, to_jsonb(audit)::text as row from audit where action = 'sign_in'`.execute(
        context.db,
      )
    expect(rows).toMatchObject([{ actor_id: null, outcome: 'refused', reason: 'credentials_invalid' }])
    expect(JSON.stringify(rows)).not.toContain('typed as a login')
  })
})

describe('a key', () => {
  test('acts with the rights of its owner', async () => {
    expect((await api.get(`/projects/${VAULT}`, { as: ADA })).json.is_member_of).toBe(false)
    expect(await outcome(key(RITA.key), AT)).toBe('404 not_found')
  })
})
