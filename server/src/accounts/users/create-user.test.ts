import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { basic } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, MARA, OLGA, RITA } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

const NINA = { username: 'nina', real_name: 'Nina Nova', email: 'nina@waypost.example' }
const create = (body: object, as = ADA) => api.post('/users', { as, body: { ...NINA, ...body } })
const count = async () =>
  (await sql<{ count: number }>`select count(*) as count from account`.execute(context.db)).rows[0]?.count

describe('POST /users', () => {
  test('creates an account, and mails a link to set the password', async () => {
    const { status, json, headers } = await create({})

    expect(status).toBe(201)
    expect(json).toMatchObject({
      username: 'nina',
      display_name: 'Nina Nova (nina)',
      email: NINA.email,
      status: 'A',
      time_zone: null,
      language: null,
      text_format: 'commonmark',
    })
    expect(headers.location).toBe(`https://waypost.example/api/users/${json.id}`)
    expect((await api.get(`/users/${json.id}`, { as: ADA })).headers.etag).toBe(headers.etag)
    const { rows } = await sql`select type, object, payload from job`.execute(context.db)
    expect(rows).toEqual([
      { type: 'mail', object: `users/${json.id}`, payload: { template: 'invite_account', account_id: json.id } },
    ])
  })

  test('keeps the prefix that the client used', async () => {
    const { headers } = await api.post('/api/v1/users', { as: ADA, body: NINA })

    expect(headers.location).toMatch(/^https:\/\/waypost\.example\/api\/v1\/users\/\d+$/)
  })

  test('accepts a password, with which the owner can sign in at once', async () => {
    const password = 'seven plums on a ladder'
    const { text } = await create({ password, invite: false })

    expect(text).not.toContain(password)
    expect((await api.get(`/projects/${ORCHARD}`, { headers: basic({ login: 'nina' }, password) })).status).toBe(200)
    expect((await sql`select 1 from job`.execute(context.db)).rows).toEqual([])
  })

  test('without a password, password sign-in is refused', async () => {
    await create({})

    for (const password of ['', 'null', 'nina'])
      expect((await api.get('/projects/2001', { headers: basic({ login: 'nina' }, password) })).status).toBe(401)
  })

  test('accepts zone, language, text format and rights', async () => {
    const { json } = await create({
      time_zone: 'Europe/Vienna',
      language: 'en',
      text_format: 'html',
      is_site_admin: true,
    })

    expect(json).toMatchObject({ time_zone: 'Europe/Vienna', language: 'en', text_format: 'html' })
    expect((await sql`select is_site_admin from account where id = ${json.id}`.execute(context.db)).rows).toEqual([
      { is_site_admin: true },
    ])
  })

  test('creates restricted accounts only if the platform has them enabled', async () => {
    const refused = await create({ status: 'R' })
    expect(refused.json.error).toMatchObject({
      reason: 'parameter_not_allowed',
      details: { path: 'status', allowed: ['A'] },
    })

    await sql`update setting set version = version + 1, chosen = '{"restricted_users": true}'`.execute(context.db)
    expect((await create({ status: 'R' })).json.status).toBe('R')
  })

  test('writes an audit entry without personal data', async () => {
    const { json } = await create({ password: 'seven plums on a ladder' })

    const { rows } = await sql`
      select actor_id, action, object, outcome, before, after from audit where action = 'user.create'`.execute(
      context.db,
    )
    expect(rows).toEqual([
      {
        actor_id: ADA.id,
        action: 'user.create',
        object: `users/${json.id}`,
        outcome: 'done',
        before: null,
        after: {
          username: '(personal)',
          real_name: '(personal)',
          email: '(personal)',
          status: 'A',
          is_site_admin: false,
          has_password: true,
        },
      },
    ])
  })

  test.each([
    [{ username: undefined }, 'parameter_required', 'username'],
    [{ real_name: undefined }, 'parameter_required', 'real_name'],
    [{ email: undefined }, 'parameter_required', 'email'],
    [{ username: 5 }, 'parameter_invalid', 'username'],
    [{ real_name: '  ' }, 'parameter_out_of_range', 'real_name'],
    [{ real_name: 'x'.repeat(101) }, 'parameter_out_of_range', 'real_name'],
    [{ real_name: 'Nina\nNova' }, 'parameter_invalid', 'real_name'],
    [{ real_name: 'Nina \u202eavoN' }, 'parameter_invalid', 'real_name'],
    [{ email: 'nina' }, 'parameter_invalid', 'email'],
    [{ email: 'nina@waypost.example\r\nBcc: all@waypost.example' }, 'parameter_invalid', 'email'],
    [{ email: '"nina"@waypost.example' }, 'parameter_invalid', 'email'],
    [{ email: [NINA.email] }, 'parameter_invalid', 'email'],
    [{ email: MARA.email }, 'name_taken', 'email'],
    [{ email: MARA.email.toUpperCase() }, 'name_taken', 'email'],
    [{ username: 'mara' }, 'name_taken', 'username'],
    [{ username: 'Mara' }, 'name_taken', 'username'],
    [{ status: 'S' }, 'parameter_not_allowed', 'status'],
    [{ is_site_admin: 'true' }, 'parameter_invalid', 'is_site_admin'],
    [{ invite: false }, 'parameter_conflict', 'invite'],
    [{ password: null, invite: false }, 'parameter_conflict', 'invite'],
    [{ password: 'short' }, 'rule_violated', 'password'],
    [{ password: NINA.email }, 'rule_violated', 'password'],
    [{ password: 'x'.repeat(1025) }, 'parameter_out_of_range', 'password'],
    [{ time_zone: 'Mars/Olympus' }, 'parameter_not_allowed', 'time_zone'],
    [{ language: 'xx' }, 'parameter_not_allowed', 'language'],
    [{ text_format: 'rtf' }, 'parameter_not_allowed', 'text_format'],
  ])('refuses %j with %s', async (fault, reason, path) => {
    const before = await count()
    const { status, json } = await create(fault)

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason, details: { path } })
    expect(await count()).toBe(before)
  })

  test('requires a site administrator', async () => {
    const anonymous = await api.post('/users', { body: NINA })
    expect(anonymous.status).toBe(401)
    for (const as of [MARA, OLGA, RITA]) {
      const { status, json } = await create({}, as)
      expect(status).toBe(403)
      expect(json.error).toMatchObject({ reason: 'permission_denied', details: { who_may: ['site_admin'] } })
    }
    const { rows } =
      await sql`select actor_id, outcome, reason from audit where action = 'user.create' order by id`.execute(
        context.db,
      )
    expect(rows).toEqual(
      [MARA, OLGA, RITA].map(({ id }) => ({ actor_id: id, outcome: 'refused', reason: 'permission_denied' })),
    )
  })

  test('reveals no existing logins to strangers', async () => {
    const taken = await create({ username: 'mara', email: MARA.email }, OLGA)
    const free = await create({}, OLGA)

    expect([taken.status, free.status]).toEqual([403, 403])
  })

  test('a dry run creates nothing, and describes the account', async () => {
    const before = await count()
    const { status, json, headers } = await api.post('/users?dry_run=true', { as: ADA, body: NINA })

    expect(status).toBe(200)
    expect(headers.location).toBeUndefined()
    expect(json.dry_run).toMatchObject({
      status: 201,
      would_answer: { id: null, uri: null, username: 'nina', email: NINA.email },
      notified: [{ user: { email: NINA.email }, channel: 'mail', why: 'account_created' }],
    })
    expect(json.dry_run.changes).toMatchObject([{ object: 'users', op: 'create' }])
    expect(json.dry_run.changes[0].fields).toContainEqual({ name: 'username', before: null, after: 'nina' })
    expect(await count()).toBe(before)
    expect((await sql`select 1 from job`.execute(context.db)).rows).toEqual([])
    expect((await create({})).status).toBe(201)
    expect((await api.post('/users?dry_run=true', { as: ADA, body: NINA })).json.error.reason).toBe('name_taken')
  })

  test('of ten concurrent requests with one login, one succeeds', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) => create({ email: `nina${number}@waypost.example` })),
    )

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ json }) => json.error?.reason === 'name_taken')).toHaveLength(9)
  })

  test('of ten concurrent requests with one address, one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, number) => create({ username: `nina${number}` })))

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ json }) => json.error?.details.path === 'email')).toHaveLength(9)
  })

  test('accepts and returns XML', async () => {
    const { status, text } = await api.post('/users', {
      as: ADA,
      headers: { 'content-type': 'application/xml', accept: 'application/xml' },
      body: `<request><username>nina</username><real_name>Nina Nova</real_name><email>${NINA.email}</email>
        <password></password><invite>1</invite><time_zone/></request>`,
    })

    expect(status).toBe(201)
    expect(text).toContain('<username>nina</username>')
  })
})
