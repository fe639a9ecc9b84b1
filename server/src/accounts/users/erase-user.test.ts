import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { basic } from '../../../test/harness/client.ts'
import { startWorld } from '../../../test/harness/start-world.ts'
import { ADA, GUS, MARA, PASSWORD, type TestPerson, TOM, UMA, VICTOR } from '../../../test/fixtures/people.ts'
import { MARSH, NURSERY, ORCHARD, QUARRY, RUIN, VAULT } from '../../../test/fixtures/seed-ids.ts'

const { api, context } = await startWorld()

const erase = ({ id, login }: TestPerson, as: TestPerson | undefined = ADA, more = '') =>
  api.delete(`/users/${id}${more}`, { as, body: { confirm: login } })
const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(context.db)).rows

describe('DELETE /users/{id}', () => {
  test('erases name, address, preferences and login', async () => {
    await api.patch('/users/self', { as: TOM, body: { time_zone: 'Europe/Vienna', language: 'en' } })
    const answer = await erase(TOM)

    expect([answer.status, answer.text]).toEqual([200, ''])
    expect((await api.get(`/users/${TOM.id}`, { as: ADA })).json).toMatchObject({
      id: TOM.id,
      username: `erased-${TOM.id}`,
      real_name: 'Erased user',
      display_name: 'Erased user',
      email: null,
      pending_email: null,
      status: 'D',
      ldap_id: '',
      has_avatar: false,
      time_zone: null,
      language: null,
    })
  })

  test('leaves no personal data in any table or in the log', async () => {
    await api.patch('/users/self', { as: TOM, body: { email: 'tiller@new.example' } })
    await erase(TOM)

    const tables = ['account', 'audit', 'mailed_link', 'preference', 'login_tombstone', 'event', 'idempotency'] as const
    for (const table of tables) {
      const rows = await rowsOf(sql`select to_jsonb(t)::text as text from ${sql.table(table)} t`)
      for (const trace of [TOM.real_name, TOM.email, 'Tiller', 'tiller@new.example', '"tom"'])
        expect([table, JSON.stringify(rows)]).not.toEqual([table, expect.stringContaining(trace)])
    }
  })

  test('revokes every credential', async () => {
    const { json } = await api.post('/tokens', { body: { username: 'tom', password: PASSWORD } })
    await api.patch('/users/self/preferences', { as: TOM, body: { key: 'colour', value: 'red' } })
    await erase(TOM)

    const at = `/projects/${ORCHARD}`
    const pair = { 'x-auth-token': json.token, 'x-auth-userid': json.user_id }
    for (const options of [{ as: TOM }, { headers: pair }, { headers: basic(TOM) }]) {
      const { status, json: refusal } = await api.get(at, options)
      expect([status, refusal.error.reason]).toEqual([401, 'credentials_invalid'])
    }
    expect(
      await rowsOf(sql`
        select (select count(*) from access_key where account_id = ${TOM.id}) as keys,
          (select count(*) from token) as tokens, (select count(*) from preference) as preferences,
          (select password_hash is null from account where id = ${TOM.id}) as has_no_password`),
    ).toEqual([{ keys: 0, tokens: 0, preferences: 0, has_no_password: true }])
  })

  test('removes the account from projects and groups, and emits events', async () => {
    const epochs = () =>
      rowsOf(sql`select id, rights_epoch from project where id = any(${[ORCHARD, QUARRY]}) order by id`)
    const before = await epochs()
    await erase(UMA)

    expect(
      await rowsOf(sql`
        select 1 from project_member where account_id = ${UMA.id}
        union all select 1 from user_group_member where account_id = ${UMA.id}`),
    ).toEqual([])
    expect(
      await rowsOf(sql`select object, actor_id, payload from event where type = 'member.removed' order by object`),
    ).toEqual(
      [ORCHARD, MARSH].map((id) => ({ object: `projects/${id}`, actor_id: ADA.id, payload: { account_id: UMA.id } })),
    )
    expect(await epochs()).toEqual([
      { id: ORCHARD, rights_epoch: Number(Object(before[0]).rights_epoch) + 1 },
      before[1],
    ])
  })

  test('removes an account that is only in a user group of a project', async () => {
    await erase(GUS)

    expect(await rowsOf(sql`select 1 from user_group_member where account_id = ${GUS.id}`)).toEqual([])
    expect(await rowsOf(sql`select 1 from event where type = 'member.removed'`)).toEqual([])
  })

  test('never frees the login', async () => {
    await erase(TOM)
    const again = (username: string) =>
      api.post('/users', { as: ADA, body: { username, real_name: 'Another Tom', email: 'tom2@waypost.example' } })

    expect((await again('tom')).json.error.reason).toBe('name_taken')
    expect((await again('ＴＯＭ')).json.error.reason).toBe('name_taken')
    expect((await again(`erased-${TOM.id}`)).json.error.reason).toBe('name_invalid')
    expect((await api.patch(`/users/${UMA.id}`, { as: ADA, body: { username: 'tom' } })).json.error.reason).toBe(
      'name_taken',
    )
  })

  test('never frees former logins of the account', async () => {
    await api.patch(`/users/${TOM.id}`, { as: ADA, body: { username: 'thomas' } })
    await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: 'thomas' } })
    const again = (username: string) =>
      api.post('/users', { as: ADA, body: { username, real_name: 'Another Tom', email: 'tom2@waypost.example' } })

    for (const login of ['tom', 'thomas']) expect((await again(login)).json.error.reason).toBe('name_taken')
  })

  test('frees the address', async () => {
    await erase(TOM)
    const body = { username: 'newcomer', real_name: 'New Comer', email: TOM.email }

    expect((await api.post('/users', { as: ADA, body })).status).toBe(201)
  })

  test('an erased account is not found, and cannot be changed', async () => {
    await erase(TOM)

    expect((await api.get('/users?query=erased', { as: MARA })).json).toEqual([])
    expect((await api.get(`/users/${TOM.id}`)).status).toBe(401)
    expect((await erase(TOM)).status).toBe(404)
    expect((await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: `erased-${TOM.id}` } })).status).toBe(404)
    expect((await api.patch(`/users/${TOM.id}`, { as: ADA, body: { status: 'A' } })).status).toBe(404)
  })

  test('requires the login as confirmation', async () => {
    const wrong = await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: 'uma' } })
    const none = await api.delete(`/users/${TOM.id}`, { as: ADA })
    const empty = await api.delete(`/users/${TOM.id}`, { as: ADA, body: {} })

    expect([wrong.status, wrong.json.error.reason, wrong.json.error.details.path]).toEqual([
      400,
      'parameter_invalid',
      'confirm',
    ])
    expect([none.status, none.json.error.reason]).toEqual([400, 'body_required'])
    expect([empty.status, empty.json.error.reason]).toEqual([400, 'parameter_required'])
    expect((await api.delete(`/users/${TOM.id}`, { as: ADA, body: { confirm: 'TOM' } })).status).toBe(200)
  })

  test('refuses the own account and the last site administrator', async () => {
    const self = await erase(ADA)
    expect([self.status, self.json.error.reason, self.json.error.details.cause]).toEqual([400, 'rule_violated', 'self'])

    await sql`update account set is_site_admin = true, status = 'S' where id = ${MARA.id}`.execute(context.db)
    await sql`update account set status = 'A' where id = ${MARA.id}`.execute(context.db)
    expect((await erase(ADA, MARA)).status).toBe(200)
  })

  test('refuses the only administrator of a project', async () => {
    const { status, json } = await erase(MARA)

    expect(status).toBe(400)
    expect(json.error).toMatchObject({
      reason: 'rule_violated',
      details: {
        cause: 'last_project_admin',
        used_by: [
          { type: 'project', id: ORCHARD, label: 'Orchard' },
          { type: 'project', id: MARSH, label: 'Marsh' },
          { type: 'project', id: NURSERY, label: 'Nursery' },
        ],
      },
    })
    expect((await api.get('/users/self', { as: MARA })).json.real_name).toBe(MARA.real_name)

    await sql`update project_member set is_admin = true where account_id = ${TOM.id}`.execute(context.db)
    await sql`insert into project_member (project_id, account_id, is_admin, added_on)
      values (${NURSERY}, ${TOM.id}, true, now())`.execute(context.db)
    expect((await erase(MARA)).status).toBe(200)
    expect(
      await rowsOf(sql`select 1 from project_member where project_id = ${RUIN} and account_id = ${MARA.id}`),
    ).toEqual([])
  })

  test('refuses one of two administrators of a project who are erased concurrently', async () => {
    await sql`insert into project_member (project_id, account_id, is_admin, added_on)
      values (${VAULT}, ${GUS.id}, true, now()), (${QUARRY}, ${GUS.id}, true, now())`.execute(context.db)
    const answers = await Promise.all([erase(GUS), erase(VICTOR)])

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]))
  })

  test('requires a site administrator', async () => {
    for (const [as, status] of [
      [undefined, 401],
      [TOM, 403],
      [MARA, 403],
    ] as const) {
      const answer = await api.delete(`/users/${TOM.id}`, { ...(as && { as }), body: { confirm: 'tom' } })
      expect(answer.status).toBe(status)
    }
    expect((await api.delete('/users/1999', { as: ADA, body: { confirm: 'tom' } })).status).toBe(404)
    expect((await api.delete('/users/1999', { as: TOM, body: { confirm: 'tom' } })).status).toBe(403)
  })

  test('a dry run lists the changes, and makes none', async () => {
    const { status, json } = await erase(TOM, ADA, '?dry_run=true')

    expect(status).toBe(200)
    expect(json.dry_run.status).toBe(200)
    expect(json.dry_run.changes.map(({ object, op }: Record<string, string>) => `${op} ${object}`)).toEqual([
      `update projects/${ORCHARD}`,
      `update projects/${MARSH}`,
      `update projects/${RUIN}`,
      `delete access_keys/${TOM.key_id}`,
      `delete users/${TOM.id}`,
    ])
    expect((await api.get('/users/self', { as: TOM })).json.username).toBe('tom')
    expect((await erase(MARA, ADA, '?dry_run=true')).json.error.details.cause).toBe('last_project_admin')
  })

  test('writes an audit entry', async () => {
    await erase(TOM)

    expect(
      await rowsOf(
        sql`select actor_id, object, outcome, after ->> 'status' as status from audit where action = 'user.erase'`,
      ),
    ).toEqual([{ actor_id: ADA.id, object: `users/${TOM.id}`, outcome: 'done', status: 'D' }])
  })
})
