import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { basic } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { SAME_ORIGIN_HEADERS } from '../../../test/harness/browser-requests.ts'
import { ADA, MARA, PASSWORD, TOM } from '../../../test/fixtures/people.ts'
import { masked, refused } from '../../../test/harness/refused.ts'
import { ApiError } from '../../platform/messages/errors.ts'
import { signInToSvn } from './sign-in-to-svn.ts'

const { api, context } = await startWorld()

const disabled = refused(401, 'password_sign_in_disabled')

describe('password_sign_in', () => {
  test.each([
    { setting: 'everywhere', session: 201, basic: 200, token: 200, svn: 'mara' },
    { setting: 'browser', session: 201, basic: 401, token: 401, svn: 'password_sign_in_disabled' },
    { setting: 'never', session: 401, basic: 401, token: 401, svn: 'password_sign_in_disabled' },
  ])(
    'N13 $setting decides where a right password signs in',
    async ({ setting, session, basic: byBasic, token, svn }) => {
      const made = await api.post('/tokens', { body: { username: 'mara', password: PASSWORD }, reader: MARA })
      expect((await api.patch('/settings', { as: ADA, body: { password_sign_in: setting } })).status).toBe(200)

      expect((await signIn()).status).toBe(session)
      expect((await api.get('/users/self', { headers: basic(MARA), reader: MARA })).status).toBe(byBasic)
      const again = await api.post('/tokens', { body: { username: 'mara', password: PASSWORD }, reader: MARA })
      expect(again.status).toBe(token)
      const headers = { 'x-auth-token': made.json.token, 'x-auth-userid': made.json.user_id }
      expect((await api.get('/users/self', { headers, reader: MARA })).status).toBe(token)
      expect(await svnOutcome(PASSWORD)).toBe(svn)
    },
  )

  test.each(['browser', 'never'])('N13/keys work with %s, over svn as password', async (setting) => {
    await choose(setting)
    await sql`update access_key set scopes = '{write:rest,write:svn}' where id = ${MARA.key_id}`.execute(context.db)

    expect((await api.get('/users/self', { as: MARA })).status).toBe(200)
    expect(await svnOutcome(MARA.key)).toBe('mara')
  })

  test('N14 refuses without checking the password or the login', async () => {
    await choose('never')
    const wrong = [
      await signIn('wrong'),
      await signIn('wrong', 'unknown-login'),
      await api.get('/users/self', { headers: basic(MARA, 'wrong') }),
      await api.post('/tokens', { body: { username: 'mara', password: 'wrong' } }),
      await api.get('/users/self', { headers: { 'x-auth-token': 'a'.repeat(32), 'x-auth-userid': '1' } }),
    ]
    for (const answer of wrong) expect(answer).toMatchObject(disabled)
    expect(masked(await signIn())).toBe(masked(await signIn('wrong')))
    const { rows } = await sql`select from sign_in_failure`.execute(context.db)
    expect(rows).toEqual([])
    expect(await svnOutcome('wrong')).toBe('password_sign_in_disabled')
  })

  test('N14/links creates no password by link or registration if password sign-in is disabled', async () => {
    await sql`update setting set version = version + 1, chosen = '{"password_sign_in": "never", "registration": "open"}'`.execute(
      context.db,
    )
    const account = { username: 'nina', real_name: 'Nina New', password: 'a quite different horse' }

    expect(await api.post('/password_resets', { body: { login: 'mara' } })).toMatchObject(disabled)
    expect(await api.post('/registrations', { body: { ...account, email: 'n@orchard.example' } })).toMatchObject(
      disabled,
    )
    expect(
      await api.put(`/invitations/${'A'.repeat(43)}`, { headers: SAME_ORIGIN_HEADERS, body: account }),
    ).toMatchObject(disabled)
  })

  test('the challenge names only accepted schemes', async () => {
    await choose('browser')

    const { headers } = await api.get('/users/self')
    expect(headers['www-authenticate']).toBe('AccessKey realm="Waypost API", Bearer realm="Waypost API"')
    expect((await api.get('/users/self', { as: TOM })).status).toBe(200)
  })
})

function signIn(password = PASSWORD, username = 'mara') {
  return api.post('/session', { headers: SAME_ORIGIN_HEADERS, body: { username, password }, reader: MARA })
}

async function choose(setting: string): Promise<void> {
  const chosen = JSON.stringify({ password_sign_in: setting })
  await sql`update setting set version = version + 1, chosen = ${chosen}::jsonb`.execute(context.db)
}

/** The login that signed in, or the reason of the refusal. */
async function svnOutcome(secret: string): Promise<string | undefined> {
  try {
    return (await signInToSvn(context, { login: 'mara', address: '127.0.0.1', request_id: null }, secret, 'write'))
      .login
  } catch (error) {
    return error instanceof ApiError ? error.reason : String(error)
  }
}
