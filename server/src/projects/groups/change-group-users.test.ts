import { describe, expect, test } from 'vitest'
import { audited } from '../../../test/harness/audited.ts'
import { ADA, GUS, MARA, OLGA, SAM, type TestPerson, TOM, UMA } from '../../../test/fixtures/people.ts'
import { LEADS, ORCHARD, SHADOWS } from '../../../test/fixtures/seed-ids.ts'
import { refused, statusesOf } from '../../../test/harness/refused.ts'
import { startWorld } from '../../../test/harness/start-world.ts'

const { api, context } = await startWorld()

const MEMBERS = `${ORCHARD}_3`
const ADMINS = `${ORCHARD}_4`

const ids = (...people: TestPerson[]) => people.map(({ id }) => ({ id }))
const change = (group: string | number, body: object, as: TestPerson = MARA) =>
  api.patch(`/user_groups/${group}/users`, { as, body })
const logins = async (group: string | number) =>
  (await api.get(`/user_groups/${group}/users?limit=50`, { as: ADA })).json.map(
    ({ username }: { username: string }) => username,
  )
const events = () => context.db.selectFrom('event').select(['type', 'payload']).orderBy('id').execute()

describe('PATCH /user_groups/{id}/users', () => {
  test('adds and removes members of a group, and keeps the others', async () => {
    const { status, text } = await change(LEADS, { add: [{ username: 'tom' }], remove: ids(GUS) })
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(await logins(LEADS)).toEqual(['tom', 'uma'])
    expect(await audited(context, 'user_group.members')).toMatchObject([
      { object: `user_groups/${LEADS}`, before: { removed: [GUS.id] }, after: { added: [TOM.id] } },
    ])
  })

  test('changes nothing if everyone is there, or gone, already', async () => {
    expect((await change(LEADS, { add: ids(UMA), remove: ids(TOM) })).status).toBe(200)
    expect((await change(LEADS, {})).status).toBe(200)
    expect(await audited(context, 'user_group.members')).toEqual([])
    expect(await events()).toEqual([])
  })

  test('adds members to a project, but none who cannot sign in', async () => {
    await context.db.deleteFrom('project_member').where('account_id', '=', SAM.id).execute()
    await change(MEMBERS, { add: ids(OLGA, SAM), remove: ids(TOM) })
    expect(await logins(MEMBERS)).toEqual(['mara', 'olga', 'uma'])
    expect((await events()).map(({ type }) => type)).toEqual(['member.added', 'member.removed', 'rights.changed'])
  })

  test('makes an administrator a member, and keeps former administrators as members', async () => {
    await change(ADMINS, { add: ids(OLGA) })
    expect(await logins(ADMINS)).toEqual(['mara', 'olga'])
    expect(await logins(MEMBERS)).toContain('olga')
    await change(ADMINS, { remove: ids(MARA) })
    expect(await logins(ADMINS)).toEqual(['olga'])
    expect(await logins(MEMBERS)).toContain('mara')
  })

  test('ends the administration of a member who leaves, except of the last one', async () => {
    for (const group of [MEMBERS, ADMINS])
      expect(await change(group, { remove: ids(MARA) })).toMatchObject(
        refused(400, 'rule_violated', { cause: 'last_project_admin' }),
      )
    expect(await logins(ADMINS)).toEqual(['mara'])
    await change(ADMINS, { add: ids(TOM) })
    expect((await change(MEMBERS, { remove: ids(MARA) })).status).toBe(200)
    expect(await logins(ADMINS)).toEqual(['tom'])
    expect(await logins(MEMBERS)).not.toContain('mara')
  })

  test('counts only administrators who can sign in', async () => {
    await context.db.updateTable('project_member').set({ is_admin: true }).where('account_id', '=', SAM.id).execute()
    expect(await change(ADMINS, { remove: ids(MARA) })).toMatchObject(
      refused(400, 'rule_violated', { cause: 'last_project_admin' }),
    )
  })

  test('two administrators who remove each other at once leave one of them', async () => {
    await change(ADMINS, { add: ids(TOM) })
    const answers = await Promise.all([
      change(ADMINS, { remove: ids(TOM) }, ADA),
      change(ADMINS, { remove: ids(MARA) }, ADA),
    ])
    expect(statusesOf(answers)).toEqual([200, 400])
    expect(await logins(ADMINS)).toHaveLength(1)
  })

  test.each([
    { group: LEADS, body: { add: [{}] }, reason: 'parameter_conflict', path: 'add[0]' },
    { group: LEADS, body: { remove: [{ id: 1999 }] }, reason: 'reference_unknown', path: 'remove[0].id' },
    { group: LEADS, body: { add: ids(TOM), remove: ids(TOM) }, reason: 'parameter_conflict', path: 'remove' },
    { group: SHADOWS, body: { add: ids(TOM) }, reason: 'group_not_editable' },
    { group: 2, body: { add: ids(TOM) }, reason: 'group_not_editable' },
    { group: `${ORCHARD}_19`, body: { add: ids(TOM) }, reason: 'group_not_editable' },
  ])('refuses $body of $group with $reason', async ({ group, body, reason, path }) => {
    const { status, json } = await change(group, body, ADA)
    expect([400, 403]).toContain(status)
    expect(json.error).toMatchObject({ reason, ...(path !== undefined && { details: { path } }) })
  })

  test('is for administrators of the project', async () => {
    expect(await change(LEADS, { add: ids(TOM) }, TOM)).toMatchObject(refused(403, 'permission_denied'))
    expect(await change(LEADS, { add: ids(TOM) }, OLGA)).toMatchObject(refused(403, 'permission_denied'))
  })
})
