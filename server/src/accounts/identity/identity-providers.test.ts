import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { refused } from '../../../test/harness/refused.ts'
import { ADA, MARA } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { createSecrets } from '../../platform/operation/secrets.ts'
import { relockIdentitySecrets } from './identity-secret.ts'

const { api, context } = await startWorld()

const SECRET = 'a very secret secret of the client'
const COMPANY = {
  name: 'company',
  label: 'Company account',
  issuer: 'https://login.orchard.test/realms/main',
  client_id: 'waypost',
  client_secret: SECRET,
}
const create = (more: object = {}) => api.post('/identity_providers', { as: ADA, body: { ...COMPANY, ...more } })

describe('POST /identity_providers', () => {
  test('adds a provider with safe defaults, and names the addresses to register', async () => {
    const answer = await create()

    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({
      name: 'company',
      uri: 'identity_providers/company',
      label: 'Company account',
      issuer: 'https://login.orchard.test/realms/main',
      client_id: 'waypost',
      client_secret_file: null,
      client_authentication: 'client_secret_basic',
      has_client_secret: true,
      is_enabled: true,
      scopes: ['openid', 'email', 'profile'],
      match_by: 'subject',
      trusts_email: false,
      email_domains: [],
      new_accounts: 'never',
      username_claim: 'preferred_username',
      groups_claim: null,
      group_mappings: [],
      clock_tolerance_seconds: 60,
      is_internal: false,
      redirect_uri: 'https://waypost.example/sign-in/oidc/company/callback',
      backchannel_logout_uri: 'https://waypost.example/api/identity_providers/company/logout',
      post_logout_redirect_uri: 'https://waypost.example/sign-in',
    })
    expect((await api.get('/identity_providers/company', { as: ADA })).json).toEqual(answer.json)
    expect((await api.get('/identity_providers', { as: ADA })).json).toEqual([answer.json])
  })

  test('the secret is in no answer, and neither in clear in the database nor in the audit log', async () => {
    const made = await create()
    const changed = await api.patch('/identity_providers/company', { as: ADA, body: { client_secret: `${SECRET} 2` } })
    expect(changed.status).toBe(200)
    const read = await api.get('/identity_providers', { as: ADA })
    const { rows: stored } =
      await sql`select name, settings::text, encode(secret, 'escape') from identity_provider`.execute(context.db)
    const { rows: log } = await sql`select before::text, after::text from audit`.execute(context.db)

    expect(JSON.stringify([made.text, changed.text, read.text, stored, log])).not.toContain('very secret')
    expect((await audited(context, 'identity_provider.update'))[0]?.after).toEqual({ client_secret: 'replaced' })
  })

  test.each([
    [{ issuer: 'http://login.orchard.test' }, 'parameter_not_allowed', 'issuer'],
    [{ issuer: 'http://10.0.0.1', is_internal: true }, 'parameter_not_allowed', 'issuer'],
    [{ issuer: 'http://127.0.0.1:8081' }, 'parameter_not_allowed', 'issuer'],
    [{ issuer: 'https://user@login.orchard.test' }, 'parameter_invalid', 'issuer'],
    [{ issuer: 'https://login.orchard.test?tenant=1' }, 'parameter_invalid', 'issuer'],
    [{ issuer: 'file:///etc/passwd' }, 'parameter_invalid', 'issuer'],
    [{ scopes: ['email'] }, 'parameter_not_allowed', 'scopes'],
    [{ client_secret: null }, 'parameter_required', 'client_secret'],
    [{ client_secret_file: 'company' }, 'parameter_conflict', 'client_secret_file'],
    [{ client_secret: null, client_secret_file: '../keys' }, 'parameter_invalid', 'client_secret_file'],
    [
      { group_mappings: [{ value: 'staff', user_group: `${ORCHARD}_19` }] },
      'parameter_invalid',
      'group_mappings[0].user_group',
    ],
    [
      { group_mappings: [{ value: 'staff', user_group: '999999' }] },
      'reference_unknown',
      'group_mappings[0].user_group',
    ],
    [{ name: 'Company' }, 'parameter_invalid', 'name'],
  ])('refuses %j with %s', async (more, reason, path) => {
    const answer = await create(more)
    expect(answer).toMatchObject(refused(400, reason))
    expect(answer.json.error.details.path).toBe(path)
  })

  test('refuses a name twice', async () => {
    await create()
    expect(await create()).toMatchObject(refused(400, 'name_taken'))
  })
})

describe('PATCH and DELETE /identity_providers/{name}', () => {
  test('change what is sent, with the version of the caller', async () => {
    const { headers } = await create()
    const etag = String(headers['etag'])
    const body = { groups_claim: 'groups', group_mappings: [{ value: 'leads', user_group: String(LEADS) }] }
    const changed = await api.patch('/identity_providers/company', { as: ADA, body, headers: { 'if-match': etag } })
    const stale = await api.patch('/identity_providers/company', {
      as: ADA,
      body: { label: 'x' },
      headers: { 'if-match': etag },
    })

    expect(changed.json).toMatchObject({ ...body, label: 'Company account', has_client_secret: true })
    expect(stale).toMatchObject(refused(412, 'version_mismatch'))
  })

  test('the issuer never changes: subjects belong to it', async () => {
    await create()
    const answer = await api.patch('/identity_providers/company', { as: ADA, body: { issuer: 'https://evil.example' } })
    expect(answer).toMatchObject(refused(400, 'member_unknown'))
  })

  test('a provider that is off is not offered, and a deleted one is gone', async () => {
    await create()
    const options = async () => (await api.get('/sign_in_options')).json
    expect(await options()).toEqual({
      password: true,
      providers: [{ name: 'company', label: 'Company account', address: '/sign-in/oidc/company' }],
    })
    await api.patch('/identity_providers/company', { as: ADA, body: { is_enabled: false } })
    expect((await options()).providers).toEqual([])
    expect((await api.delete('/identity_providers/company', { as: ADA })).status).toBe(200)
    expect((await api.get('/identity_providers/company', { as: ADA })).status).toBe(404)
  })

  test('a project administrator may do none of it', async () => {
    await create()
    for (const answer of [
      await api.get('/identity_providers', { as: MARA }),
      await api.patch('/identity_providers/company', { as: MARA, body: { label: 'Mine' } }),
      await api.delete('/identity_providers/company', { as: MARA }),
      await api.post('/identity_providers/company/test', { as: MARA }),
    ])
      expect(answer.status).toBe(403)
  })
})

test('`waypost secrets rotate` encrypts the secret with the first key', async () => {
  await create()
  const secrets = createSecrets(['a-new-secret-key-of-the-tests-that-is-long', ...context.config.WAYPOST_SECRET_KEYS])
  expect(await relockIdentitySecrets({ ...context, secrets }, 'identity_provider', { isDryRun: false })).toEqual({
    current: 0,
    relocked: 1,
    lost: [],
  })
  expect(await relockIdentitySecrets({ ...context, secrets }, 'identity_provider', { isDryRun: false })).toEqual({
    current: 1,
    relocked: 0,
    lost: [],
  })
  expect(await relockIdentitySecrets(context, 'identity_provider', { isDryRun: true })).toMatchObject({
    lost: ['company'],
  })
})
