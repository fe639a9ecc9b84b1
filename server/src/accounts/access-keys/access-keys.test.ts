import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { basic } from '../../../test/harness/client.ts'
import { TEST_NOW, startWorld } from '../../../test/harness/start-world.ts'
import { refused } from '../../../test/harness/refused.ts'
import { ADA, MARA, PASSWORD, RITA, TOM } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'
import { toId } from '../../platform/database/ids.ts'
import type { AccessKeyId } from './access-key.ts'

const world = await startWorld()
const { api, context, clock } = world

const AT = `/projects/${ORCHARD}`
const create = (body?: unknown, as = TOM) =>
  api.post('/access_keys', { headers: basic(as), ...(body !== undefined && { body }) })
const made = async (body: object = {}, as = TOM) => {
  const { json, headers } = await create(body, as)
  return { key: String(json.identifier), id: Number(String(headers.location).split('/').at(-1)) }
}
const withKey = (key: string) => ({ headers: { 'x-auth-accesskey': key } })
const setSettings = (chosen: object) =>
  sql`update setting set version = version + 1, chosen = ${JSON.stringify(chosen)}::jsonb`.execute(context.db)

describe('POST /access_keys', () => {
  test('creates a key that works at once; its secret is shown once and stored as a hash only', async () => {
    const { status, json, headers } = await create({ description: 'nightly import' })
    const [, id = '', secret = ''] = /^tlp-k1-(\d+)\.([0-9a-f]{64})$/.exec(json.identifier) ?? []

    expect(status).toBe(201)
    expect(Object.keys(json)).toEqual(['identifier'])
    expect(headers.location).toBe(`https://waypost.example/api/access_keys/${id}`)
    expect((await api.get(AT, withKey(json.identifier))).json.is_member_of).toBe(true)
    const { rows } =
      await sql`select to_jsonb(access_key)::text as row from access_key where id = ${Number(id)}`.execute(context.db)
    expect(JSON.stringify(rows)).not.toContain(secret)
    const { rows: hashes } = await sql`select 1 from access_key where id = ${Number(id)}
      and digest = sha256(decode(${secret}, 'hex'))`.execute(context.db)
    expect(hashes).toHaveLength(1)
  })

  test.each([undefined, {}, { description: '', expiration_date: null }])('requires no input: %j', async (body) => {
    const { status, headers } = await create(body)
    const id = String(headers.location).split('/').at(-1)

    expect(status).toBe(201)
    expect((await api.get(`/access_keys/${id}`, { as: TOM })).json).toEqual({
      id: Number(id),
      uri: `access_keys/${id}`,
      creation_date: '2026-03-01T09:30:00+00:00',
      expiration_date: null,
      description: '',
      last_used_on: null,
      last_used_by: null,
      scopes: [{ identifier: 'write:rest' }],
      projects: null,
    })
  })

  test('notifies the owner by mail, without the secret', async () => {
    const { key, id } = await made({ description: 'nightly import', scopes: ['read:rest'] })

    const { rows } = await sql`select type, object, payload from job`.execute(context.db)
    expect(rows).toEqual([
      {
        type: 'mail',
        object: `access_keys/${id}`,
        payload: {
          template: 'access_key_created',
          account_id: TOM.id,
          params: { description: 'nightly import', scopes: ['read:rest'] },
        },
      },
    ])
    expect(JSON.stringify(rows)).not.toContain(key.split('.')[1])
  })

  test('keeps known scopes and drops unknown ones', async () => {
    const { id } = await made({ scopes: ['write:git_repository', 'write:svn', 'read:rest', 'write:svn'] })

    expect((await api.get(`/access_keys/${id}`, { as: TOM })).json.scopes).toEqual([
      { identifier: 'read:rest' },
      { identifier: 'write:svn' },
    ])
  })

  test.each([
    [{ scopes: [] }, 'scope_invalid'],
    [{ scopes: ['write'] }, 'scope_invalid'],
    [{ scopes: ['write:rest', 'a b:c'] }, 'scope_invalid'],
    [{ scopes: ['write:git_repository'] }, 'scope_invalid'],
    [{ scopes: ['constructor:prototype'] }, 'scope_invalid'],
    [{ scopes: 'write:rest' }, 'parameter_invalid'],
    [{ description: 5 }, 'parameter_invalid'],
    [{ description: 'x'.repeat(256) }, 'parameter_out_of_range'],
    [{ expiration_date: '2027-01-01' }, 'parameter_invalid'],
    [{ expiration_date: '2027-01-01T00:00:00' }, 'parameter_invalid'],
    [{ expiration_date: '2027-02-30T00:00:00Z' }, 'parameter_invalid'],
    [{ expiration_date: 'tomorrow' }, 'parameter_invalid'],
    [{ expiration_date: '' }, 'parameter_invalid'],
    [{ expiration_date: '2026-03-01T09:29:59Z' }, 'date_in_past'],
    [{ expiration_date: '2026-03-01T09:30:00+00:00' }, 'date_in_past'],
  ])('refuses %j with %s', async (body, reason) => {
    const { status, json } = await create(body)

    expect(status).toBe(400)
    expect(json.error.reason).toBe(reason)
  })

  test('uses the prefix of the platform; keys with an earlier prefix keep working', async () => {
    await setSettings({ key_prefix: 'way' })
    const { key } = await made()

    expect(key).toMatch(/^way-k1-/)
    expect((await api.get(AT, withKey(key))).status).toBe(200)
    expect((await api.get(AT, { as: TOM })).status).toBe(200)
    expect((await api.get(AT, withKey(key.replace('way', 'tlp')))).json.error.reason).toBe('credentials_invalid')
  })

  test('enforces the maximum lifetime of the platform', async () => {
    await setSettings({ access_key_max_days: 10 })
    const { id } = await made()

    expect((await api.get(`/access_keys/${id}`, { as: TOM })).json.expiration_date).toBe('2026-03-11T09:30:00+00:00')
    expect((await create({ expiration_date: '2026-03-11T09:30:00Z' })).status).toBe(201)
    expect((await create({ expiration_date: '2026-03-11T09:30:01Z' })).json.error).toMatchObject({
      reason: 'parameter_out_of_range',
      details: { path: 'expiration_date', allowed: { maximum: '2026-03-11T09:30:00+00:00' } },
    })
  })

  test('is refused without credentials', async () => {
    expect((await api.post('/access_keys', { body: {} })).status).toBe(401)
  })

  test('a repetition with the same Idempotency-Key does not show the secret again', async () => {
    const options = { as: TOM, body: {}, headers: { 'idempotency-key': 'one-key' } }
    const first = await api.post('/access_keys', options)
    const second = await api.post('/access_keys', options)

    expect(first.status).toBe(201)
    expect([second.status, second.json.error.reason]).toEqual([409, 'idempotency_secret'])
    expect(second.json.error.details.id).toBe(String(first.headers.location).split('/').at(-1))
  })

  test('a dry run creates no key', async () => {
    const { status, json } = await api.post('/access_keys?dry_run=true', { as: TOM, body: {} })

    expect(status).toBe(200)
    expect(json.dry_run).toMatchObject({
      status: 201,
      would_answer: { identifier: null },
      notified: [{ user: { id: TOM.id, username: 'tom' }, channel: 'mail', why: 'access_key_created' }],
    })
    expect((await api.get('/users/self/access_keys', { as: TOM })).json).toHaveLength(1)
  })

  test('accepts and returns XML', async () => {
    const { status, text } = await api.post('/access_keys', {
      as: TOM,
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: '<request><description>by xml</description><scopes>read:rest</scopes></request>',
    })

    expect(status).toBe(201)
    expect(text).toMatch(/<response><identifier>tlp-k1-\d+\.[0-9a-f]{64}<\/identifier><\/response>/)
  })

  test('creating and deleting write audit entries without secrets', async () => {
    const { key, id } = await made({ description: 'nightly import' })
    await api.delete(`/access_keys/${id}`, { as: TOM })

    const { rows } =
      await sql`select action, actor_id, object, before, after from audit where action like 'access_key.%' order by id`.execute(
        context.db,
      )
    expect(rows).toMatchObject([
      { action: 'access_key.create', actor_id: TOM.id, object: `access_keys/${id}`, before: null },
      { action: 'access_key.delete', actor_id: TOM.id, object: `access_keys/${id}`, after: null },
    ])
    expect(JSON.stringify(rows)).not.toContain(key.split('.')[1])
  })
})

describe('a key that creates keys', () => {
  const end = '2026-04-01T00:00:00+00:00'

  test('K07 cannot grant a scope that it does not have', async () => {
    const { key } = await made({ scopes: ['write:rest', 'write:account'] })

    for (const scopes of [['write:svn'], ['write:rest', 'write:svn']])
      expect((await api.post('/access_keys', { ...withKey(key), body: { scopes } })).json.error).toMatchObject({
        reason: 'scope_invalid',
        details: { path: 'scopes', allowed: ['write:rest', 'read:rest', 'write:account'] },
      })
    for (const scopes of [['read:rest'], ['write:rest', 'write:account']])
      expect((await api.post('/access_keys', { ...withKey(key), body: { scopes } })).status).toBe(201)
  })

  test('K08 cannot exceed its own expiry, which is also the default', async () => {
    const { key } = await made({ scopes: ['write:rest', 'write:account'], expiration_date: end })
    const bySuchKey = (body: object) => api.post('/access_keys', { ...withKey(key), body })
    const { headers } = await bySuchKey({})
    const { json } = await api.get(`/access_keys/${String(headers.location).split('/').at(-1)}`, { as: TOM })

    expect(json.expiration_date).toBe(end)
    expect((await bySuchKey({ expiration_date: end })).status).toBe(201)
    expect((await bySuchKey({ expiration_date: '2026-04-01T00:00:01Z' })).json.error).toMatchObject({
      reason: 'parameter_out_of_range',
      details: { path: 'expiration_date', allowed: { maximum: end } },
    })
    await setSettings({ access_key_max_days: 10 })
    expect((await bySuchKey({ expiration_date: end })).json.error.reason).toBe('parameter_out_of_range')
  })
})

describe('GET /access_keys/{id}', () => {
  test('self is the key of this request, by header or as Bearer', async () => {
    const { key, id } = await made({ expiration_date: '2027-01-01T01:00:00+01:00' })
    const byHeader = await api.get('/access_keys/self', withKey(key))
    const byBearer = await api.get('/access_keys/self', { headers: { authorization: `Bearer ${key}` } })

    expect(byHeader.json).toEqual({
      id,
      uri: `access_keys/${id}`,
      creation_date: '2026-03-01T09:30:00+00:00',
      expiration_date: '2027-01-01T00:00:00+00:00',
      description: '',
      last_used_on: '2026-03-01T09:30:00+00:00',
      last_used_by: '127.0.0.1',
      scopes: [{ identifier: 'write:rest' }],
      projects: null,
    })
    expect(byBearer.json).toEqual(byHeader.json)
  })

  test('self without a key is not found', async () => {
    const { status, json } = await api.get('/access_keys/self', { headers: basic(TOM) })

    expect([status, json.error.reason]).toEqual([404, 'not_found'])
  })

  test('a key of another account is not found, even by administrators', async () => {
    const { id } = await made()

    for (const as of [MARA, ADA]) {
      expect((await api.get(`/access_keys/${id}`, { as })).status).toBe(404)
      expect((await api.get('/access_keys/4999', { as })).status).toBe(404)
      expect((await api.delete(`/access_keys/${id}`, { as })).status).toBe(404)
      expect((await api.delete('/access_keys/4999', { as })).status).toBe(404)
    }
    expect((await api.get(`/access_keys/${id}`, { as: TOM })).status).toBe(200)
    expect((await api.get(`/access_keys/${id}`)).status).toBe(401)
    expect((await api.delete(`/access_keys/${id}`)).status).toBe(401)
    expect((await api.get('/access_keys/x', { as: TOM })).json.error.reason).toBe('id_malformed')
  })

  test('an expired key is hidden', async () => {
    const { id } = await made({ expiration_date: '2026-03-01T10:00:00Z' })
    clock.set('2026-03-01T10:00:00Z')

    expect((await api.get(`/access_keys/${id}`, { as: TOM })).status).toBe(404)
    const list = await api.get('/users/self/access_keys', { as: TOM })
    expect([list.json.length, list.headers['x-pagination-size']]).toEqual([1, '1'])
  })
})

describe('GET /users/{id}/access_keys', () => {
  test('lists own keys, page by page', async () => {
    for (const description of ['one', 'two', 'three', 'four']) await made({ description })
    const first = await api.get(`/users/${TOM.id}/access_keys?limit=3`, { as: TOM })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await api.get(next, { as: TOM })

    expect(first.headers).toMatchObject({ 'x-pagination-size': '5', 'x-pagination-limit-max': '50' })
    expect([...first.json, ...second.json].map(({ description }) => description)).toEqual([
      '',
      'one',
      'two',
      'three',
      'four',
    ])
    expect((await api.get('/users/self/access_keys?limit=3&offset=9', { as: TOM })).headers).toMatchObject({
      'x-pagination-size': '5',
    })
  })

  test('is for the owner only', async () => {
    expect((await api.get(`/users/${TOM.id}/access_keys`)).status).toBe(401)
    expect((await api.get(`/users/${TOM.id}/access_keys`, { as: ADA })).status).toBe(403)
    expect((await api.get(`/users/${TOM.id}/access_keys`, { as: MARA })).json.error.details.who_may).toEqual(['owner'])
    expect((await api.get(`/users/${TOM.id}/access_keys`, { as: RITA })).status).toBe(404)
    expect((await api.get('/users/self/access_keys?limit=0', { as: TOM })).status).toBe(400)
    expect((await api.get('/users/self/access_keys?limit=51', { as: TOM })).status).toBe(400)
  })
})

describe('DELETE /access_keys/{id}', () => {
  test('A05 a deleted key is refused on the next request, on every process', async () => {
    const other = await world.startAnother()
    const { key, id } = await made()
    expect((await other.api.get(AT, withKey(key))).status).toBe(200)

    const answer = await api.delete(`/access_keys/${id}`, withKey(key))
    expect([answer.status, answer.text]).toEqual([200, ''])
    for (const { status, json } of [await api.get(AT, withKey(key)), await other.api.get(AT, withKey(key))])
      expect([status, json.error.reason]).toEqual([401, 'credentials_invalid'])
    expect((await api.delete(`/access_keys/${id}`, { as: TOM })).status).toBe(404)
  })
})

describe('the lifetime of a key', () => {
  test('A06 an expired key stays expired when the clock goes back', async () => {
    const { key } = await made({ expiration_date: '2026-03-01T12:00:00Z' })
    const at = async (time: string) => {
      clock.set(time)
      const { status, text } = await api.get(AT, withKey(key))
      return status === 200 ? 200 : [status, JSON.parse(text).error.reason]
    }

    expect(await at('2026-03-01T11:59:59Z')).toBe(200)
    expect(await at('2026-03-01T12:00:00Z')).toEqual([401, 'credentials_expired'])
    expect(await at('2026-03-01T12:00:01Z')).toEqual([401, 'credentials_expired'])
    expect(await at('2026-03-01T11:00:00Z')).toEqual([401, 'credentials_expired'])
  })

  test('its last use is stored at most once a minute, unless the address changes', async () => {
    const { key, id } = await made()
    // Not by the API: a request with another key may store the uses of both.
    const lastUse = async () => {
      const row = await context.db
        .selectFrom('access_key')
        .select('last_used_on')
        .where('id', '=', toId<AccessKeyId>(id))
        .executeTakeFirst()
      return row?.last_used_on?.toISOString()
    }
    const useAt = async (seconds: number) => {
      clock.set(new Date(TEST_NOW.getTime() + seconds * 1000))
      await api.get(AT, withKey(key))
      return lastUse()
    }

    expect(await lastUse()).toBeUndefined()
    expect(await useAt(1)).toBe('2026-03-01T09:30:01.000Z')
    expect(await useAt(60)).toBe('2026-03-01T09:30:01.000Z')
    expect(await useAt(61)).toBe('2026-03-01T09:31:01.000Z')
    await sql`update access_key set last_used_by = '198.51.100.7' where id = ${id}`.execute(context.db)
    expect(await useAt(62)).toBe('2026-03-01T09:31:02.000Z')
  })

  test('A08 a read-only key cannot write, with any header', async () => {
    const { key } = await made({ scopes: ['read:rest'] })
    const bearer = { headers: { authorization: `Bearer ${key}` } }
    const masked = (text: string) => text.replace(/"request_id":"[^"]*"/, '')

    for (const options of [withKey(key), bearer]) {
      expect((await api.get(AT, options)).status).toBe(200)
      expect((await api.request('HEAD', AT, options)).status).toBe(200)
    }
    const [byHeader, byBearer] = [await api.delete('/tokens', withKey(key)), await api.delete('/tokens', bearer)]
    expect(byHeader).toMatchObject(refused(403, 'credentials_scope', { scope: 'write:rest', allowed: ['write:rest'] }))
    const challenge = 'realm="Waypost API", error="insufficient_scope", scope="write:rest"'
    for (const { headers } of [byHeader, byBearer])
      expect(headers['www-authenticate']).toBe(`AccessKey ${challenge}, Bearer ${challenge}`)
    expect(masked(byBearer.text)).toBe(masked(byHeader.text))
    expect((await api.delete('/tokens', { headers: basic(TOM, key) })).json.error.reason).toBe('credentials_invalid')
    const token = await api.post('/tokens', { body: { username: 'tom', password: key } })
    expect([token.status, token.json.error.reason]).toEqual([401, 'credentials_invalid'])
  })

  test('a Subversion key does not open the API', async () => {
    const { key } = await made({ scopes: ['write:svn'] })
    const refusal = refused(403, 'credentials_scope', { scope: 'read:rest', allowed: ['write:rest', 'read:rest'] })

    const answer = await api.get(AT, withKey(key))
    expect(answer).toMatchObject(refusal)
    expect(answer.headers['www-authenticate']).toContain('Bearer realm="Waypost API", error="insufficient_scope"')
    // The scope is checked before the object: an absent one is answered alike.
    expect(await api.get('/projects/999999', withKey(key))).toMatchObject(refusal)
    expect(await api.get('/projects', withKey(key))).toMatchObject(refusal)
  })

  test('A09 a key of one account with the login of another is refused, and the log names both', async () => {
    const { key, id } = await made({}, MARA)
    expect((await api.get(AT, { headers: basic(TOM, key) })).status).toBe(401)

    const { rows } = await sql`select actor_id, credential_kind, credential_id, after, outcome from audit
      where action = 'key_with_foreign_login'`.execute(context.db)
    expect(rows).toEqual([
      {
        actor_id: MARA.id,
        credential_kind: 'access_key',
        credential_id: String(id),
        after: { login: 'tom' },
        outcome: 'refused',
      },
    ])
    expect((await api.get(AT, { headers: basic(TOM, PASSWORD) })).status).toBe(200)
  })
})
