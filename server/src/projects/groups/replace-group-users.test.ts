import { describe, expect, test } from 'vitest'
import { startWorld } from '../../../test/harness/start-world.ts'
import {
  ADA,
  GUS,
  MARA,
  OLGA,
  type TestPerson,
  PIA,
  RITA,
  SAM,
  TOM,
  UMA,
  VICTOR,
} from '../../../test/fixtures/people.ts'
import { KEEPERS, LEADS, MARSH, ORCHARD, QUARRY, SHADOWS, VAULT } from '../../../test/fixtures/seed-ids.ts'
import type { ProjectId } from '../project.ts'

const world = await startWorld()
const { api, context } = world

const MEMBERS = `${ORCHARD}_3`
const ADMINS = `${ORCHARD}_4`

const ids = (...people: TestPerson[]) => people.map(({ id }) => ({ id }))
const put = (group: string | number, user_references: unknown, as: TestPerson | undefined = MARA) =>
  api.put(`/user_groups/${group}/users`, { as, body: { user_references } })
const logins = async (group: string | number, as = ADA) =>
  (await api.get(`/user_groups/${group}/users?limit=50`, { as })).json.map(
    ({ username }: { username: string }) => username,
  )
const epochOf = async (id: ProjectId) =>
  (await context.db.selectFrom('project').select('rights_epoch').where('id', '=', id).executeTakeFirst())?.rights_epoch
const events = () =>
  context.db.selectFrom('event').select(['type', 'project_id', 'actor_id', 'payload']).orderBy('id').execute()

describe('PUT /user_groups/{id}/users', () => {
  test('replaces the users of a static group, whether or not they are members of the project', async () => {
    const { status, text } = await put(LEADS, ids(TOM, OLGA, TOM))
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(await logins(LEADS)).toEqual(['olga', 'tom'])
    expect(await logins(SHADOWS)).toEqual(['olga', 'tom'])
    expect(await logins(MEMBERS)).toEqual(['mara', 'sam', 'tom', 'uma'])
    await put(LEADS, [])
    expect(await logins(LEADS)).toEqual([])
  })

  test.each([
    { kind: 'id', references: [{ id: TOM.id }, { id: OLGA.id }] },
    { kind: 'id as text', references: [{ id: String(TOM.id) }, { id: OLGA.id }] },
    { kind: 'username', references: [{ username: 'TOM' }, { username: 'olga' }] },
    { kind: 'email', references: [{ email: TOM.email.toUpperCase() }, { email: OLGA.email }] },
    { kind: 'ldap_id', references: [{ ldap_id: 'ldap-tom' }, { ldap_id: 'ldap-olga' }] },
  ])('accepts people by $kind', async ({ references }) => {
    for (const person of [TOM, OLGA])
      await context.db
        .updateTable('account')
        .set({ ldap_id: `ldap-${person.login}` })
        .where('id', '=', person.id)
        .execute()
    expect((await put(LEADS, references)).status).toBe(200)
    expect(await logins(LEADS)).toEqual(['olga', 'tom'])
  })

  test('accepts a plain list, and XML with and without the wrapping member', async () => {
    await api.put(`/user_groups/${LEADS}/users`, { as: MARA, body: ids(TOM) })
    expect(await logins(LEADS)).toEqual(['tom'])
    for (const body of [
      '<request><user_references><item><username>uma</username></item></user_references></request>',
      '<request><item><username>gus</username></item></request>',
    ]) {
      const answer = await api.put(`/user_groups/${LEADS}/users`, {
        as: MARA,
        headers: { 'content-type': 'application/xml' },
        body,
      })
      expect(answer.status).toBe(200)
    }
    expect(await logins(LEADS)).toEqual(['gus'])
  })

  test('replaces the members of a project, but never removes administrators or adds suspended users', async () => {
    await context.db.deleteFrom('project_member').where('account_id', '=', SAM.id).execute()
    expect((await put(MEMBERS, ids(OLGA, SAM))).status).toBe(200)
    expect(await logins(MEMBERS)).toEqual(['mara', 'olga'])
    expect((await put(MEMBERS, [])).status).toBe(200)
    expect(await logins(MEMBERS)).toEqual(['mara'])
    expect(await logins(ADMINS)).toEqual(['mara'])
  })

  test('keeps a suspended member who is listed', async () => {
    await put(MEMBERS, ids(SAM, TOM))
    expect(await logins(MEMBERS)).toEqual(['mara', 'sam', 'tom'])
  })

  test('makes administrators members, and keeps former administrators as members', async () => {
    expect((await put(ADMINS, ids(TOM, OLGA))).status).toBe(200)
    expect(await logins(ADMINS)).toEqual(['olga', 'tom'])
    expect(await logins(MEMBERS)).toEqual(['mara', 'olga', 'sam', 'tom', 'uma'])
    // Mara has removed her own permission.
    expect((await put(ADMINS, ids(MARA))).status).toBe(403)
    expect((await put(ADMINS, ids(MARA), OLGA)).status).toBe(200)
  })

  test.each([{ people: [] }, { people: [SAM] }])(
    'refuses to leave a project without an administrator',
    async ({ people }) => {
      expect(await put(ADMINS, ids(...people))).toMatchObject({
        status: 400,
        json: { error: { reason: 'rule_violated', details: { cause: 'last_project_admin' } } },
      })
      expect(await logins(ADMINS)).toEqual(['mara'])
    },
  )

  test('publishes who joined and left, and whose permissions changed', async () => {
    await put(MEMBERS, ids(TOM, UMA, OLGA))
    expect(await events()).toEqual([
      { type: 'member.added', project_id: ORCHARD, actor_id: MARA.id, payload: { account_id: OLGA.id } },
      { type: 'member.removed', project_id: ORCHARD, actor_id: MARA.id, payload: { account_id: SAM.id } },
      { type: 'rights.changed', project_id: ORCHARD, actor_id: MARA.id, payload: { account_ids: [OLGA.id, SAM.id] } },
    ])
  })

  test('publishes that new administrators joined, and that permissions of the others changed', async () => {
    await put(ADMINS, ids(TOM, GUS))
    expect((await events()).map(({ type, payload }) => [type, payload])).toEqual([
      ['member.added', { account_id: GUS.id }],
      ['rights.changed', { account_ids: [GUS.id] }],
      ['rights.changed', { account_ids: [TOM.id, MARA.id] }],
    ])
  })

  test('writes the audit log and increments the rights epoch only if something changes', async () => {
    const begun = await epochOf(ORCHARD)
    await put(LEADS, ids(UMA, GUS))
    expect(await events()).toEqual([])
    expect(await epochOf(ORCHARD)).toBe(begun)

    await put(LEADS, ids(UMA, TOM))
    expect(await epochOf(ORCHARD)).toBe((begun ?? 0) + 1)
    const audit = await context.db.selectFrom('audit').selectAll().where('action', '=', 'user_group.members').execute()
    expect(audit).toMatchObject([
      {
        object: `user_groups/${LEADS}`,
        project_id: ORCHARD,
        actor_id: MARA.id,
        before: { removed: [GUS.id] },
        after: { added: [TOM.id] },
      },
    ])
    expect(await events()).toMatchObject([{ type: 'rights.changed', payload: { account_ids: [TOM.id, GUS.id] } }])
  })

  test.each([
    { references: [{ id: TOM.id }, { username: 'uma' }], reason: 'parameter_conflict', path: 'user_references[1]' },
    { references: [{ id: TOM.id, username: 'tom' }], reason: 'parameter_conflict', path: 'user_references[0]' },
    { references: [{}], reason: 'parameter_conflict', path: 'user_references[0]' },
    { references: [{ id: TOM.id }, { id: 1999 }], reason: 'reference_unknown', path: 'user_references[1].id' },
    { references: [{ id: -1 }], reason: 'reference_unknown', path: 'user_references[0].id' },
    { references: [{ id: PIA.id }], reason: 'reference_unknown', path: 'user_references[0].id' },
    { references: [{ username: 'nobody-there' }], reason: 'reference_unknown', path: 'user_references[0].username' },
    { references: [{ email: 'no@where.example' }], reason: 'reference_unknown', path: 'user_references[0].email' },
    { references: [{ ldap_id: '' }], reason: 'reference_unknown', path: 'user_references[0].ldap_id' },
    { references: [{ id: 'tom' }], reason: 'parameter_invalid', path: 'user_references[0].id' },
    { references: 'tom', reason: 'parameter_invalid', path: 'user_references' },
  ])('refuses $references with $reason, and changes nothing', async ({ references, reason, path }) => {
    const begun = await epochOf(ORCHARD)
    const answer = await put(LEADS, references)
    expect(answer).toMatchObject({ status: 400, json: { error: { reason, details: { path } } } })
    expect(await logins(LEADS)).toEqual(['gus', 'uma'])
    expect(await epochOf(ORCHARD)).toBe(begun)
  })

  test('refuses an ambiguous address', async () => {
    await context.db.updateTable('account').set({ email: TOM.email }).where('id', '=', OLGA.id).execute()
    expect((await put(LEADS, [{ email: TOM.email }])).json.error.reason).toBe('reference_ambiguous')
  })

  test.each([
    { who: MARA, group: SHADOWS, status: 400, reason: 'group_not_editable' },
    { who: MARA, group: `${ORCHARD}_19`, status: 400, reason: 'group_not_editable' },
    { who: ADA, group: 2, status: 400, reason: 'group_not_editable' },
    { who: TOM, group: LEADS, status: 403, reason: 'permission_denied' },
    { who: TOM, group: `${ORCHARD}_19`, status: 403, reason: 'permission_denied' },
    { who: OLGA, group: MEMBERS, status: 403, reason: 'permission_denied' },
    { who: OLGA, group: `${VAULT}_3`, status: 404, reason: 'not_found' },
    { who: OLGA, group: KEEPERS, status: 404, reason: 'not_found' },
    { who: OLGA, group: 3999, status: 404, reason: 'not_found' },
    { who: MARA, group: `${MARSH}_3`, status: 404, reason: 'project_suspended' },
    { who: ADA, group: `${MARSH}_3`, status: 400, reason: 'rule_violated' },
    { who: MARA, group: 3, status: 400, reason: 'id_malformed' },
  ])('refuses $who.login to set $group with $reason', async ({ who, group, status, reason }) => {
    const answer = await put(group, ids(TOM), who)
    expect(answer.status).toBe(status)
    expect(answer.json.error.reason).toBe(reason)
  })

  test('refuses anonymous callers without revealing anything', async () => {
    const refusals = await Promise.all(
      [LEADS, KEEPERS, 3999, 2, `${VAULT}_3`].map((group) =>
        api.put(`/user_groups/${group}/users`, { headers: { 'x-request-id': 'same' }, body: [] }),
      ),
    )
    expect(new Set(refusals.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(refusals[0]?.status).toBe(401)
  })

  test('refuses people whom a restricted administrator may not see', async () => {
    await context.db
      .updateTable('project_member')
      .set({ is_admin: true })
      .where('project_id', '=', QUARRY)
      .where('account_id', '=', RITA.id)
      .execute()
    expect((await put(`${QUARRY}_3`, ids(VICTOR, TOM), RITA)).json.error.reason).toBe('reference_unknown')
    expect((await put(`${QUARRY}_3`, ids(VICTOR), RITA)).status).toBe(200)
  })

  test('takes effect with the next request, on every server', async () => {
    const another = await world.startAnother()
    expect((await another.api.get(`/projects/${QUARRY}`, { as: RITA })).status).toBe(200)
    await put(`${QUARRY}_3`, ids(VICTOR), VICTOR)
    expect((await another.api.get(`/projects/${QUARRY}`, { as: RITA })).status).toBe(404)
  })

  test('is atomic: concurrent replacements do not mix, and an administrator remains', async () => {
    await put(ADMINS, ids(MARA, TOM, UMA))
    const answers = await Promise.all([
      put(ADMINS, ids(MARA), ADA),
      put(ADMINS, ids(TOM), ADA),
      put(ADMINS, ids(UMA), ADA),
      put(MEMBERS, ids(OLGA), ADA),
      put(MEMBERS, ids(GUS), ADA),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await logins(ADMINS)).toHaveLength(1)
  })

  test('reports only in a dry run', async () => {
    const { json } = await api.put(`/user_groups/${LEADS}/users?dry_run=true`, { as: MARA, body: ids(UMA) })
    expect(json.dry_run.changes).toMatchObject([{ object: `user_groups/${LEADS}`, op: 'update' }])
    expect(await logins(LEADS)).toEqual(['gus', 'uma'])
  })
})
