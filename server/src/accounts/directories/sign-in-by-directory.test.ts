import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  DIRECTORY_PASSWORD,
  groupLdif,
  personAttributesOf,
  personDn,
  personLdif,
} from '../../../test/fixtures/directory-people.ts'
import { ADA, MARA, PASSWORD, type TestPerson, TOM } from '../../../test/fixtures/people.ts'
import { audited } from '../../../test/harness/audited.ts'
import { cookieIn, SAME_ORIGIN_HEADERS } from '../../../test/harness/browser-requests.ts'
import { refused } from '../../../test/harness/refused.ts'
import { signInOutcome } from '../../../test/harness/sign-in-outcome.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { slapdSettings, startSlapd } from '../../../test/peers/slapd.ts'
import { signInToSvn } from '../sign-in/sign-in-to-svn.ts'

const NINA = { login: 'nina', name: 'Nina New', email: 'nina@orchard.example' }
const OTTO = { login: 'Otto.Öz', name: 'Otto Öz', email: 'otto@orchard.example' }

const slapd = await startSlapd({
  ldif: [
    personLdif(NINA),
    personLdif(OTTO),
    personLdif({ login: 'tommy', name: 'Tom T', email: TOM.email }),
    groupLdif('staff', [personDn('nina')]),
  ].join('\n'),
})
afterAll(() => slapd.close())
const { api, context, clock } = await startWorld()

async function addDirectory(more: object = {}): Promise<void> {
  const body = { name: 'company', ...slapdSettings(slapd), new_accounts: 'at_sign_in', ...more }
  const answer = await api.post('/directories', { as: ADA, body })
  if (answer.status !== 201) throw new Error(answer.text)
}

const signIn = (username: string, password = DIRECTORY_PASSWORD, reader?: TestPerson) =>
  api.post('/session', { headers: SAME_ORIGIN_HEADERS, body: { username, password }, ...(reader && { reader }) })
const basicHeaders = (login: string, password = DIRECTORY_PASSWORD) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
})
const whoIs = async (login: string, password?: string) =>
  (await api.get('/users/self', { headers: basicHeaders(login, password) })).status
const toSvn = (login: string, secret = DIRECTORY_PASSWORD) =>
  signInOutcome(signInToSvn(context, { login, address: '198.51.100.7', request_id: null }, secret, 'write'))

let tests = 0
beforeEach(async () => {
  clock.advance(++tests * 600_000) // The server has forgotten failures of the test before.
  await addDirectory()
})

describe('a person of the directory', () => {
  test('gets an account at the first sign-in, without a password here', async () => {
    expect(await signIn('nina')).toMatchObject({
      status: 201,
      json: { user: { username: 'nina', real_name: 'Nina New', email: NINA.email } },
    })
    const { rows } = await sql<{ password_hash: string | null }>`
      select password_hash from account where login = 'nina'`.execute(context.db)
    expect(rows).toEqual([{ password_hash: null }])
    expect(await audited(context, 'identity.link')).toMatchObject([{ after: { directory: 'company' } }])
    expect(await signIn('nina')).toMatchObject({ status: 201 })
  })

  test('signs in with the login of the directory, if that cannot be one here', async () => {
    expect(await signIn('Otto.Öz')).toMatchObject({ status: 201, json: { user: { username: 'otto.oz' } } })
    expect(await signIn('otto.öz')).toMatchObject({ status: 201, json: { user: { username: 'otto.oz' } } })
    expect(await signIn('otto.oz')).toMatchObject({ status: 201 })
    expect(await signIn(OTTO.email)).toMatchObject({ status: 201 })
  })

  test('signs in by Basic, for tokens and to svn', async () => {
    expect(await whoIs('nina')).toBe(200)
    expect(await whoIs('nina', 'wrong')).toBe(401)
    const token = await api.post('/tokens', { body: { username: 'nina', password: DIRECTORY_PASSWORD } })
    expect(token.status).toBe(200)
    expect(await toSvn('nina')).toBe('nina')
    expect(await toSvn('nina', 'wrong')).toBe('credentials_invalid')
  })

  test('confirms a session with the password of the directory', async () => {
    const answer = await signIn('nina')
    const headers = { ...SAME_ORIGIN_HEADERS, cookie: cookieIn(answer) }
    const confirm = (password: string) => api.post('/session/confirmation', { headers, body: { password } })
    expect(await confirm(DIRECTORY_PASSWORD)).toMatchObject({ status: 200 })
    expect(await confirm('wrong')).toMatchObject(refused(403, 'permission_denied'))
  })

  test('is refused with a wrong password, like everybody', async () => {
    expect(await signIn('nina', 'wrong')).toMatchObject(refused(401, 'credentials_invalid'))
    expect(await signIn('nobody-at-all')).toMatchObject(refused(401, 'credentials_invalid'))
  })

  test('cannot change or reset the password here', async () => {
    const headers = { ...SAME_ORIGIN_HEADERS, cookie: cookieIn(await signIn('nina')) }
    const body = { current_password: DIRECTORY_PASSWORD, new_password: 'a long and new password' }
    expect(await api.put('/users/self/password', { headers, body })).toMatchObject(
      refused(403, 'permission_denied', { cause: 'directory_password' }),
    )
    expect(await api.put('/users/self/password', { body: { ...body, username: 'nina' } })).toMatchObject(
      refused(403, 'permission_denied', { cause: 'directory_password' }),
    )
    const { json } = await api.get('/users/self', { headers })
    expect(await api.patch(`/users/${json.id}`, { as: ADA, body: { values: { password_reset: true } } })).toMatchObject(
      refused(403, 'permission_denied', { cause: 'directory_password' }),
    )
  })

  test('without new accounts is refused, and local accounts sign in as before', async () => {
    await api.patch('/directories/company', { as: ADA, body: { new_accounts: 'never' } })
    expect(await signIn('nina')).toMatchObject(refused(401, 'credentials_invalid'))
    expect(await signIn('mara', PASSWORD, MARA)).toMatchObject({ status: 201 })
  })

  test('with the address of an account gets that one, if addresses count', async () => {
    expect(await signIn('tommy')).toMatchObject(refused(401, 'credentials_invalid'))
    await api.patch('/directories/company', { as: ADA, body: { match_by: 'email' } })
    expect(await signIn('tommy', undefined, TOM)).toMatchObject({
      status: 201,
      json: { user: { id: TOM.id, username: 'tom' } },
    })
    expect(await signIn('tom', PASSWORD)).toMatchObject(refused(401, 'credentials_invalid'))
    expect(await signIn('tom', undefined, TOM)).toMatchObject({ status: 201 })
  })

  test('is refused while the directory is switched off', async () => {
    await signIn('nina')
    await api.patch('/directories/company', { as: ADA, body: { is_enabled: false } })
    expect(await signIn('nina')).toMatchObject(refused(401, 'credentials_invalid'))
  })
})

describe('a verified password', () => {
  test('counts for 60 seconds, then the directory is asked again', async () => {
    expect(await whoIs('nina')).toBe(200)
    expect(await toSvn('nina')).toBe('nina')
    await slapd.admin.del(personDn('nina'))
    try {
      clock.advance(59_000)
      expect([await whoIs('nina'), await toSvn('nina')]).toEqual([200, 'nina'])
      clock.advance(1000)
      expect([await whoIs('nina'), await toSvn('nina')]).toEqual([401, 'credentials_invalid'])
    } finally {
      await slapd.admin.add(personDn('nina'), personAttributesOf(NINA))
    }
  })

  test('is forgotten when the account or the directory changes', async () => {
    expect(await whoIs('nina')).toBe(200)
    await slapd.stop()
    try {
      expect(await whoIs('nina')).toBe(200)
      await sql`update account set version = version + 1 where login = 'nina'`.execute(context.db)
      expect(await whoIs('nina')).toBe(503)
    } finally {
      await slapd.start()
    }
  })
})

describe('while the directory is down', () => {
  test('sessions, keys and local passwords go on; sign-ins say why, and are not counted as wrong', async () => {
    const headers = { ...SAME_ORIGIN_HEADERS, cookie: cookieIn(await signIn('nina')) }
    await slapd.stop()
    try {
      clock.advance(60_000)
      expect((await api.get('/users/self', { headers })).status).toBe(200)
      expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
      expect(await signIn('mara', PASSWORD, MARA)).toMatchObject({ status: 201 })
      for (let attempt = 0; attempt < 12; attempt++) {
        const answer = await signIn('nina')
        expect(answer).toMatchObject(refused(503, 'directory_unavailable'))
        expect(answer.headers['retry-after']).toBe('10')
      }
      expect(await toSvn('nina')).toBe('directory_unavailable')
      expect(await whoIs('nina')).toBe(503)
    } finally {
      await slapd.start()
    }
    clock.advance(3000)
    expect(await signIn('nina')).toMatchObject({ status: 201 })
  })

  test('the next host is asked', async () => {
    const body = {
      urls: ['ldaps://127.0.0.1:1636', slapd.secure],
      bind_password: slapdSettings(slapd)['bind_password'],
    }
    expect((await api.patch('/directories/company', { as: ADA, body })).status).toBe(200)
    expect(await signIn('nina')).toMatchObject({ status: 201 })
  })
})

test('StartTLS protects the password as ldaps does', async () => {
  const more = { tls: 'starttls', urls: [slapd.plain], bind_password: slapdSettings(slapd)['bind_password'] }
  expect((await api.patch('/directories/company', { as: ADA, body: more })).status).toBe(200)
  expect(await signIn('nina')).toMatchObject({ status: 201 })
})

test('a local account is unaffected by an entry with its login', async () => {
  expect(await signIn(MARA.login, DIRECTORY_PASSWORD)).toMatchObject(refused(401, 'credentials_invalid'))
})
