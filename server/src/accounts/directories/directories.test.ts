import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { personDn, personLdif, groupLdif } from '../../../test/fixtures/directory-people.ts'
import { ADA, TOM } from '../../../test/fixtures/people.ts'
import { audited } from '../../../test/harness/audited.ts'
import { refused } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { PEOPLE_BASE, slapdSettings, startSlapd } from '../../../test/peers/slapd.ts'
import { createSecrets } from '../../platform/operation/secrets.ts'
import { relockIdentitySecrets } from '../identity/identity-secret.ts'

const slapd = await startSlapd({
  ldif: [
    personLdif({ login: 'nina', name: 'Nina', email: 'nina@orchard.example' }),
    groupLdif('staff', [personDn('nina')]),
  ].join('\n'),
})
afterAll(() => slapd.close())
const { api, context } = await startWorld()
const settings: Record<string, unknown> = { name: 'company', ...slapdSettings(slapd) }
const create = (more: object = {}) => api.post('/directories', { as: ADA, body: { ...settings, ...more } })
const change = (body: object) => api.patch('/directories/company', { as: ADA, body })

describe('a directory', () => {
  test('is added, shown without its password, changed and removed by site administrators alone', async () => {
    const made = await create()
    expect(made).toMatchObject({
      status: 201,
      json: { name: 'company', uri: 'directories/company', tls: 'ldaps', has_bind_password: true, last_sync: null },
    })
    expect(made.text).not.toContain('password of the reader')
    expect((await api.get('/directories', { as: ADA })).json).toHaveLength(1)
    expect(await change({ label: 'Renamed' })).toMatchObject({ status: 200, json: { label: 'Renamed' } })
    for (const [method, path] of [
      ['get', '/directories'],
      ['get', '/directories/company'],
      ['delete', '/directories/company'],
    ] as const)
      expect(await api[method](path, { as: TOM })).toMatchObject(refused(403, 'permission_denied'))
    expect(await api.delete('/directories/company', { as: ADA })).toMatchObject({ status: 200 })
    expect(await api.get('/directories/company', { as: ADA })).toMatchObject(refused(404, 'not_found'))
    const actions = ['directory.create', 'directory.update', 'directory.delete']
    for (const action of actions) expect(await audited(context, action)).toHaveLength(1)
    expect(JSON.stringify(await audited(context, 'directory.create'))).not.toContain('password of the reader')
  })

  test.each([
    {
      what: 'a URL of another kind',
      body: { urls: ['https://127.0.0.1'] },
      path: 'urls[0]',
      reason: 'parameter_invalid',
    },
    {
      what: 'a URL with a path',
      body: { urls: ['ldaps://127.0.0.1/dc=x'] },
      path: 'urls[0]',
      reason: 'parameter_invalid',
    },
    {
      what: 'ldaps without TLS in the URL',
      body: { urls: ['ldap://127.0.0.1'] },
      path: 'urls[0]',
      reason: 'parameter_not_allowed',
    },
    {
      what: 'the port of another service',
      body: { urls: ['ldaps://127.0.0.1:25'] },
      path: 'urls[0]',
      reason: 'parameter_not_allowed',
    },
    {
      what: 'no TLS to a public host',
      body: { tls: 'none', urls: ['ldap://127.0.0.1'], is_internal: false },
      path: 'tls',
      reason: 'parameter_not_allowed',
    },
    {
      what: 'a filter that does not parse',
      body: { people_filter: '(uid=*' },
      path: 'people_filter',
      reason: 'parameter_invalid',
    },
    { what: 'a base that is no DN', body: { people_base: 'people' }, path: 'people_base', reason: 'parameter_invalid' },
    {
      what: 'a certificate that is none',
      body: { ca_certificate: 'PEM' },
      path: 'ca_certificate',
      reason: 'parameter_invalid',
    },
    {
      what: 'an account without a password',
      body: { bind_password: null },
      path: 'bind_password',
      reason: 'parameter_required',
    },
    {
      what: 'a password and a file',
      body: { bind_password_file: 'company' },
      path: 'bind_password_file',
      reason: 'parameter_conflict',
    },
    {
      what: 'a group that does not exist',
      body: { group_mappings: [{ value: 'x', user_group: '999' }] },
      path: 'group_mappings[0].user_group',
      reason: 'reference_unknown',
    },
  ])('is refused with $what', async ({ body, path, reason }) => {
    const answer = await create(body)
    expect(answer.json.error).toMatchObject({ reason, details: { path } })
  })

  test('E15 with new hosts needs its password again', async () => {
    await create()
    expect((await change({ urls: ['ldaps://ldap.evil.example'] })).json.error).toMatchObject({
      reason: 'parameter_required',
      details: { path: 'bind_password' },
    })
    expect((await change({ ca_certificate: null })).status).toBe(400)
    expect((await change({ urls: ['ldaps://127.0.0.1:1636'], bind_password: 'new' })).status).toBe(200)
  })

  test('has a secret that moves to the first key', async () => {
    await create()
    const [old = ''] = context.config.WAYPOST_SECRET_KEYS
    const secrets = createSecrets(['a-second-key-of-the-tests-that-is-long-enough', old])
    expect(await relockIdentitySecrets({ ...context, secrets }, 'directory', { isDryRun: false })).toEqual({
      current: 0,
      relocked: 1,
      lost: [],
    })
    expect(await relockIdentitySecrets(context, 'directory', { isDryRun: true })).toMatchObject({ lost: ['company'] })
  })
})

describe('the test of a directory', () => {
  const findings = async (): Promise<{ check: string; state: string }[]> =>
    (await api.post('/directories/company/test', { as: ADA })).json.findings
  const states = async () => (await findings()).map(({ check, state }) => `${check} ${state}`)
  beforeEach(() => create({ new_accounts: 'at_sign_in' }))

  test('finds what works', async () => {
    expect(await states()).toEqual(['settings ok', 'connection ok', 'people ok', 'groups ok'])
  })

  test.each([
    { what: 'a wrong password', body: { bind_password: 'wrong' }, expected: ['settings ok', 'connection wrong'] },
    {
      what: 'a base without people',
      body: { people_base: `ou=none,${PEOPLE_BASE}` },
      expected: ['settings ok', 'connection wrong'],
    },
    {
      what: 'a filter that finds nobody',
      body: { people_filter: '(uid=none)' },
      expected: ['settings ok', 'connection ok', 'people wrong', 'groups ok'],
    },
    {
      what: 'an attribute that is missing',
      body: { email_attribute: 'mobile' },
      expected: ['settings ok', 'connection ok', 'people warning', 'groups ok'],
    },
    {
      what: 'a certificate of another authority',
      body: { ca_certificate: null, bind_password: 'x' },
      expected: ['settings ok', 'connection wrong'],
    },
  ])('finds $what', async ({ body, expected }) => {
    await change(body)
    expect(await states()).toEqual(expected)
  })

  test('warns loudly of passwords in clear text', async () => {
    await change({ tls: 'none', urls: [slapd.plain], bind_password: settings['bind_password'] })
    expect(JSON.stringify(await findings())).toContain('PASSWORDS ARE SENT IN CLEAR TEXT')
    const { rows } = await sql`select from directory_account`.execute(context.db)
    expect(rows).toEqual([])
  })
})
