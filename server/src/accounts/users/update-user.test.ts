import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { basic } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { untilLockWaits } from '../../../test/harness/lock-waits.ts'
import { ADA, MARA, PASSWORD, PIA, RITA, SAM, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { ORCHARD } from '../../../test/fixtures/seed-ids.ts'

const world = await startWorld()
const { api, context, clock } = world

const patch = (id: number | string, as: typeof ADA | undefined, body: unknown, headers = {}) =>
  api.patch(`/users/${id}`, { ...(as && { as }), body, headers })
const jobs = async () =>
  (await sql<{ payload: unknown }>`select payload from job order by id`.execute(context.db)).rows.map(
    ({ payload }) => payload,
  )

describe('PATCH /users/{id}', () => {
  test.each([{ wrapped: true }, { wrapped: false }])('responds true; wrapped: $wrapped', async ({ wrapped }) => {
    const values = { real_name: 'Mara Miller', status: 'A' }
    const answer = await patch(MARA.id, ADA, wrapped ? { values } : values)

    expect([answer.status, answer.text]).toEqual([200, 'true'])
    expect((await api.get(`/users/${MARA.id}`, { as: TOM })).json.real_name).toBe('Mara Miller')
  })

  test('accepts and returns XML, wrapped or bare', async () => {
    const headers = { 'content-type': 'application/xml', accept: 'application/xml' }
    const bare = await patch('self', TOM, '<request><real_name>Tom Tanner</real_name></request>', headers)
    const wrapped = await patch('self', TOM, '<request><values><time_zone>UTC</time_zone></values></request>', headers)

    expect([bare.status, wrapped.status]).toEqual([200, 200])
    expect(bare.text).toContain('<response>true</response>')
    expect((await api.get('/users/self', { as: TOM })).json).toMatchObject({
      real_name: 'Tom Tanner',
      time_zone: 'UTC',
    })
  })

  test('lets users change their own name and preferences', async () => {
    const own = { real_name: 'Tom Tanner', time_zone: 'Europe/Vienna', language: 'en', text_format: 'text' }

    expect((await patch('self', TOM, own)).status).toBe(200)
    expect((await api.get('/users/self', { as: TOM })).json).toMatchObject(own)
    expect((await patch('self', TOM, { time_zone: null, language: null })).status).toBe(200)
    expect((await api.get('/users/self', { as: TOM })).json).toMatchObject({ time_zone: null, language: null })
  })

  test.each([{ status: 'S' }, { username: 'thomas' }, { is_site_admin: true }, { password_reset: true }])(
    'refuses %j for the own account, together with all other changes',
    async (member) => {
      const { status, json } = await patch('self', TOM, { real_name: 'Tom Tanner', ...member })

      expect(status).toBe(403)
      expect(json.error).toMatchObject({ reason: 'permission_denied', details: { who_may: ['site_admin'] } })
      expect((await api.get('/users/self', { as: TOM })).json.real_name).toBe(TOM.real_name)
    },
  )

  test('accepts members that repeat the current value', async () => {
    const repeated = { status: 'A', username: 'TOM', is_site_admin: false, password_reset: false }

    expect((await patch('self', TOM, { ...repeated, real_name: 'Tom Tanner' })).status).toBe(200)
    expect((await patch(SAM.id, ADA, { status: 'S', real_name: 'Sam Still' })).status).toBe(200)
    expect((await patch(PIA.id, ADA, { status: 'P', real_name: PIA.real_name })).status).toBe(200)
  })

  test.each([
    { as: undefined, id: MARA.id, status: 401 },
    { as: TOM, id: MARA.id, status: 403 },
    { as: TOM, id: PIA.id, status: 404 },
    { as: TOM, id: 1999, status: 404 },
    { as: RITA, id: MARA.id, status: 404 },
    { as: RITA, id: VICTOR.id, status: 403 },
    { as: ADA, id: 1999, status: 404 },
    { as: ADA, id: 'abc', status: 400 },
  ])('refuses $as.login at $id with $status', async ({ as, id, status }) => {
    expect((await patch(id, as, { real_name: 'Somebody Else' })).status).toBe(status)
  })

  test.each([
    [{ status: 'X' }, 'parameter_not_allowed', 'values.status'],
    [{ status: 'P' }, 'parameter_not_allowed', 'status'],
    [{ status: 'R' }, 'parameter_not_allowed', 'status'],
    [{ username: 'a b' }, 'name_invalid', 'username'],
    [{ username: 'tom' }, 'name_taken', 'username'],
    [{ email: TOM.email }, 'name_taken', 'email'],
    [{ email: 'nonsense' }, 'parameter_invalid', 'values.email'],
    [{ real_name: '' }, 'parameter_out_of_range', 'values.real_name'],
    [{ time_zone: '+01:00' }, 'parameter_not_allowed', 'time_zone'],
    [{ language: 'xx' }, 'parameter_not_allowed', 'language'],
    [{ is_site_admin: 1 }, 'parameter_invalid', 'values.is_site_admin'],
  ])('refuses %j with %s', async (fault, reason, path) => {
    const { status, json } = await patch(MARA.id, ADA, fault)

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ reason, details: { path } })
  })

  test('restricts accounts if the platform has restricted ones enabled', async () => {
    await sql`update setting set version = version + 1, chosen = '{"restricted_users": true}'`.execute(context.db)

    expect((await patch(TOM.id, ADA, { status: 'R' })).status).toBe(200)
    expect((await api.get(`/users/${MARA.id}`, { as: TOM })).json.email).toBeNull()
  })

  test('A07 suspended and deleted accounts are refused at once, on every process', async () => {
    const other = await world.startAnother()
    const { json: token } = await api.post('/tokens', { body: { username: 'tom', password: PASSWORD } })
    const pair = { 'x-auth-token': token.token, 'x-auth-userid': token.user_id }
    const bearer = { authorization: `Bearer ${TOM.key}` }
    const at = `/projects/${ORCHARD}`
    expect((await other.api.get(at, { headers: pair })).status).toBe(200)

    for (const [status, reason] of [
      ['S', 'account_suspended'],
      ['D', 'account_deleted'],
    ]) {
      expect((await patch(TOM.id, ADA, { status })).status).toBe(200)
      const byKey = await other.api.get(at, { as: TOM })
      expect([byKey.status, byKey.json.error.reason]).toEqual([403, reason])
      expect((await other.api.get(at, { headers: bearer })).json.error.reason).toBe(reason)
      expect((await other.api.get(at, { headers: basic(TOM) })).json.error.reason).toBe('credentials_invalid')
      // The token ended with the rights of the account.
      expect((await other.api.get(at, { headers: pair })).status).toBe(401)
    }

    await patch(TOM.id, ADA, { status: 'A' })
    expect((await other.api.get(at, { as: TOM })).status).toBe(200)
    expect((await other.api.get(at, { headers: pair })).status).toBe(401)
  })

  test('a token or session that survived the suspension in the database is refused', async () => {
    const { json } = await api.post('/tokens', { body: { username: 'tom', password: PASSWORD } })
    await sql`update account set status = 'S' where id = ${TOM.id}`.execute(context.db)

    const { status, json: refusal } = await api.get('/projects/2001', {
      headers: { 'x-auth-token': json.token, 'x-auth-userid': json.user_id },
    })
    expect([status, refusal.error.reason]).toEqual([403, 'account_suspended'])
  })

  test('grants and revokes site administrator rights', async () => {
    expect((await patch(MARA.id, ADA, { is_site_admin: true })).status).toBe(200)
    expect((await patch(TOM.id, MARA, { real_name: 'Tom Tanner' })).status).toBe(200)
    expect((await patch(ADA.id, MARA, { is_site_admin: false })).status).toBe(200)
    expect((await patch(TOM.id, ADA, { real_name: 'Tom Tiller' })).status).toBe(403)
  })

  test.each([{ is_site_admin: false }, { status: 'S' }, { status: 'D' }])(
    'never locks out the last site administrator by %j',
    async (values) => {
      await sql`update account set is_site_admin = true where id = ${SAM.id}`.execute(context.db)
      const { status, json } = await patch(ADA.id, ADA, values)

      expect(status).toBe(400)
      expect(json.error).toMatchObject({ reason: 'rule_violated', details: { cause: 'last_admin' } })
      expect((await patch(ADA.id, ADA, { real_name: 'Ada Always' })).status).toBe(200)
    },
  )

  test('two administrators who remove each other concurrently do not both succeed', async () => {
    await patch(MARA.id, ADA, { is_site_admin: true })
    const answers = await Promise.all([
      patch(MARA.id, ADA, { is_site_admin: false }),
      patch(ADA.id, MARA, { is_site_admin: false }),
    ])

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { rows } = await sql`select id from account where is_site_admin`.execute(context.db)
    expect(rows).toHaveLength(1)
  })

  test('an administrator who is being removed does not count as another administrator', async () => {
    await patch(MARA.id, ADA, { is_site_admin: true })
    const tx = await context.db.startTransaction().execute()
    await sql`update account set is_site_admin = false where id = ${MARA.id}`.execute(tx)
    const answer = patch(ADA.id, ADA, { is_site_admin: false })
    await untilLockWaits(context.db)
    await tx.commit().execute()

    expect((await answer).json.error.details.cause).toBe('last_admin')
  })

  test('a reset ends sessions and tokens, and mails a link whose secret is in no job', async () => {
    await api.post('/tokens', { body: { username: 'tom', password: PASSWORD } })
    await sql`insert into session (id, digest, account_id, created_on, last_used_on)
      values ('s1', sha256('x'), ${TOM.id}, now(), now())`.execute(context.db)

    expect((await patch(TOM.id, ADA, { password_reset: true })).status).toBe(200)
    const { rows } =
      await sql`select (select count(*) from token) as tokens, (select count(*) from session) as sessions`.execute(
        context.db,
      )
    expect(rows).toEqual([{ tokens: 0, sessions: 0 }])
    expect(await jobs()).toEqual([{ template: 'password_reset', account_id: TOM.id }])
    expect((await api.get('/projects/2001', { as: TOM })).status).toBe(200)
  })

  test('an address set by an administrator is in force at once', async () => {
    await patch('self', TOM, { email: 'tom@elsewhere.example' })
    expect((await patch(TOM.id, ADA, { email: 'tom@new.example' })).status).toBe(200)

    expect((await api.get('/users/self', { as: TOM })).json).toMatchObject({
      email: 'tom@new.example',
      pending_email: null,
    })
  })

  test('an address set by its owner is pending until verified', async () => {
    expect((await patch('self', TOM, { email: 'tom@new.example' })).text).toBe('true')

    expect((await api.get('/users/self', { as: TOM })).json).toMatchObject({
      email: TOM.email,
      pending_email: 'tom@new.example',
    })
    expect(await jobs()).toEqual([
      { template: 'email_verification', account_id: TOM.id },
      { template: 'email_change_notice', account_id: TOM.id },
    ])
    expect((await patch('self', TOM, { email: TOM.email.toUpperCase() })).status).toBe(200)
    expect((await api.get('/users/self', { as: TOM })).json.pending_email).toBeNull()
  })

  test('changing the own address does not reveal whether it is used', async () => {
    const used = await patch('self', TOM, { email: 'mara.canarymail@waypost.example' })
    const unused = await patch('self', UMA, { email: 'unused@waypost.example' })

    expect([used.status, used.text]).toEqual([unused.status, unused.text])
    expect((await api.get('/users/self', { as: TOM })).json.pending_email).toBe(MARA.email)
    expect(await jobs()).toHaveLength(4)
  })

  test('limits the mails per mailbox', async () => {
    for (const number of [1, 2, 3])
      expect((await patch('self', TOM, { email: `tom${number}@new.example` })).status).toBe(200)
    const { status, json, headers } = await patch('self', TOM, { email: 'tom4@new.example' })

    expect([status, json.error.reason]).toEqual([429, 'rate_limited'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(3500)
    clock.advance(3_600_001)
    expect((await patch('self', TOM, { email: 'tom4@new.example' })).status).toBe(200)
  })

  test('checks If-Match after permissions and before rules', async () => {
    const { headers } = await api.get(`/users/${MARA.id}`, { as: ADA })
    const etag = String(headers.etag)

    expect((await patch(MARA.id, ADA, { real_name: 'Mara First' }, { 'if-match': etag })).status).toBe(200)
    const stale = await patch(MARA.id, ADA, { username: 'not a login' }, { 'if-match': etag })
    expect([stale.status, stale.json.error.reason]).toEqual([412, 'version_mismatch'])
    expect(stale.headers.etag).toBe(stale.json.error.details.current_etag)
    expect((await patch(MARA.id, TOM, { real_name: 'x' }, { 'if-match': etag })).status).toBe(403)
    expect((await patch(MARA.id, ADA, { real_name: 'Mara Next' }, { 'if-match': stale.headers.etag })).status).toBe(200)
    expect((await patch(MARA.id, ADA, { real_name: 'Mara' }, { 'if-match': `W/${etag}` })).status).toBe(412)
    expect((await patch(MARA.id, ADA, { real_name: 'Mara' }, { 'if-match': '*' })).status).toBe(200)
  })

  test('of ten concurrent requests with one ETag, one wins', async () => {
    const { headers } = await api.get(`/users/${MARA.id}`, { as: ADA })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        patch(MARA.id, ADA, { real_name: `Mara ${number}` }, { 'if-match': headers.etag }),
      ),
    )

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(9)
  })

  test('a request without changes creates no new version', async () => {
    const before = await api.get('/users/self', { as: TOM })
    await patch('self', TOM, { real_name: TOM.real_name })

    expect((await api.get('/users/self', { as: TOM })).headers.etag).toBe(before.headers.etag)
  })

  test('writes an audit entry without personal data', async () => {
    await patch(MARA.id, ADA, { status: 'S' })
    await patch(MARA.id, ADA, { real_name: 'Mara Miller', email: 'mm@waypost.example', is_site_admin: true })
    await patch(MARA.id, TOM, { status: 'A' })

    const { rows } = await sql`
      select actor_id, action, object, outcome, before, after from audit where action like 'user.%' order by id`.execute(
      context.db,
    )
    expect(rows).toEqual([
      {
        actor_id: ADA.id,
        action: 'user.status',
        object: `users/${MARA.id}`,
        outcome: 'done',
        before: { status: 'A' },
        after: { status: 'S' },
      },
      {
        actor_id: ADA.id,
        action: 'user.update',
        object: `users/${MARA.id}`,
        outcome: 'done',
        before: { real_name: '(personal)', email: '(personal)', pending_email: '(personal)', is_site_admin: false },
        after: { real_name: '(personal)', email: '(personal)', pending_email: '(personal)', is_site_admin: true },
      },
      { actor_id: TOM.id, action: 'user.update', object: null, outcome: 'refused', before: null, after: null },
    ])
  })

  test('a dry run changes nothing, and describes the changes', async () => {
    const { status, json } = await api.patch(`/users/${TOM.id}?dry_run=true`, {
      as: ADA,
      body: { status: 'S', password_reset: true, username: 'thomas' },
    })

    expect(status).toBe(200)
    expect(json.dry_run).toMatchObject({
      status: 200,
      would_answer: true,
      notified: [{ user: { id: TOM.id, username: 'tom' }, channel: 'mail', why: 'password_reset' }],
    })
    expect(json.dry_run.changes[0]).toEqual({
      object: `users/${TOM.id}`,
      op: 'update',
      fields: [
        { name: 'status', before: 'A', after: 'S' },
        { name: 'username', before: 'tom', after: 'thomas' },
      ],
    })
    expect((await api.get('/users/self', { as: TOM })).json.username).toBe('tom')
    expect(await jobs()).toEqual([])
  })

  test('a repeated request with one Idempotency-Key is applied once', async () => {
    const headers = { 'idempotency-key': 'once' }
    const first = await patch('self', TOM, { real_name: 'Tom Tanner' }, headers)
    await patch('self', TOM, { real_name: 'Tom Later' })
    const second = await patch('self', TOM, { real_name: 'Tom Tanner' }, headers)

    expect([first.text, second.text]).toEqual(['true', 'true'])
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect((await api.get('/users/self', { as: TOM })).json.real_name).toBe('Tom Later')
  })
})
